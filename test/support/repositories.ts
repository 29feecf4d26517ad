/** The repositories that tests call by themselves, beside the use-cases of `App.layer`. */
import { Layer } from "effect"
import { FilesRepo } from "../../src/content/files/FilesRepo.ts"
import { ProspectSetsRepo } from "../../src/deals/prospects/ProspectSetsRepo.ts"
import { ProspectsRepo } from "../../src/deals/prospects/ProspectsRepo.ts"
import { MandateBoxesRepo } from "../../src/market/mandates/MandatesRepo.ts"
import { ContactsRepo } from "../../src/network/contacts/ContactsRepo.ts"
import { EntriesRepo } from "../../src/webhooks/changes/EntriesRepo.ts"
import { WebhooksRepo } from "../../src/webhooks/WebhooksRepo.ts"
import { AttemptsRepo } from "../../src/webhooks/deliveries/AttemptsRepo.ts"
import { DispatchRepo } from "../../src/webhooks/deliveries/DispatchRepo.ts"
import { SchedulerRepo } from "../../src/webhooks/deliveries/SchedulerRepo.ts"

export const repositories = Layer.mergeAll(
  AttemptsRepo.layer,
  ContactsRepo.layer,
  DispatchRepo.layer,
  EntriesRepo.layer,
  FilesRepo.layer,
  MandateBoxesRepo.layer,
  ProspectSetsRepo.layer,
  ProspectsRepo.layer,
  SchedulerRepo.layer,
  WebhooksRepo.layer
)
