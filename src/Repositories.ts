/** The layers of all repositories: `App.ts` puts use-cases on them. */
import { Layer } from "effect"
import { AppsRepo } from "./identity/apps/AppsRepo.ts"
import { ClientsRepo } from "./identity/clients/ClientsRepo.ts"
import { CallersRepo } from "./core/auth/CallersRepo.ts"
import { TokensRepo } from "./identity/tokens/TokensRepo.ts"
import { EntriesRepo } from "./webhooks/changes/EntriesRepo.ts"
import { ExternalRefsRepo } from "./core/externalRefs/ExternalRefsRepo.ts"
import { FilesRepo } from "./content/files/FilesRepo.ts"
import { PasswordsRepo, SessionsRepo, SignInAttemptsRepo, UpstreamSubjectsRepo } from "./identity/signIn/SignInRepo.ts"
import { GrantsRepo } from "./identity/oauth/GrantsRepo.ts"
import { TeamsRepo } from "./identity/teams/TeamsRepo.ts"
import { UsersRepo } from "./identity/users/UsersRepo.ts"
import { MandateBoxesRepo, MandatesRepo } from "./market/mandates/MandatesRepo.ts"
import { CandidatesRepo } from "./market/matches/CandidatesRepo.ts"
import { CompaniesRepo } from "./network/companies/CompaniesRepo.ts"
import { ContactsRepo } from "./network/contacts/ContactsRepo.ts"
import { DuplicatesRepo } from "./network/duplicates/DuplicatesRepo.ts"
import { LinksRepo } from "./network/links/LinksRepo.ts"
import { RemaindersRepo } from "./network/remainders/RemaindersRepo.ts"
import { AssociatedProjectsRepo } from "./network/projects/AssociatedProjectsRepo.ts"
import { NotesRepo } from "./content/notes/NotesRepo.ts"
import { CommunicationsRepo } from "./deals/offers/CommunicationsRepo.ts"
import { OfferPeopleRepo, OffersRepo } from "./deals/offers/OffersRepo.ts"
import { ProjectsRepo } from "./deals/projects/ProjectsRepo.ts"
import { PropertiesRepo } from "./market/properties/PropertiesRepo.ts"
import { ProspectsRepo } from "./deals/prospects/ProspectsRepo.ts"
import { ProspectSetsRepo } from "./deals/prospects/ProspectSetsRepo.ts"
import { MessagesRepo } from "./deals/messages/MessagesRepo.ts"
import { TasksRepo } from "./deals/prospects/tasks/TasksRepo.ts"
import { QuotasRepo } from "./core/quotas/QuotasRepo.ts"
import { AccessRepo } from "./deals/access/AccessRepo.ts"
import { DocumentsRepo, RoomsRepo } from "./deals/rooms/RoomsRepo.ts"
import { TeasersRepo } from "./deals/teasers/TeasersRepo.ts"
import { QaRepo, QuestionsRepo } from "./deals/rooms/questions/QuestionsRepo.ts"
import { AttemptsRepo } from "./webhooks/deliveries/AttemptsRepo.ts"
import { DeliveriesRepo } from "./webhooks/deliveries/DeliveriesRepo.ts"
import { DispatchRepo } from "./webhooks/deliveries/DispatchRepo.ts"
import { SchedulerRepo } from "./webhooks/deliveries/SchedulerRepo.ts"
import { WebhooksRepo } from "./webhooks/WebhooksRepo.ts"
import { WebhookHealthRepo } from "./webhooks/WebhookHealthRepo.ts"

const identity = Layer.mergeAll(
  AppsRepo.layer,
  SignInAttemptsRepo.layer,
  GrantsRepo.layer,
  CallersRepo.layer,
  ClientsRepo.layer,
  PasswordsRepo.layer,
  SessionsRepo.layer,
  UpstreamSubjectsRepo.layer,
  TeamsRepo.layer,
  TokensRepo.layer,
  UsersRepo.layer
)

/** What commands about users, teams and webhooks' health need: less than all, so that they start without a secret key. */
export const repositoriesOfIdentity = Layer.mergeAll(
  identity,
  CommunicationsRepo.layer,
  WebhookHealthRepo.layer,
  OffersRepo.layer,
  ProspectsRepo.layer,
  QuotasRepo.layer
)

/** All repositories. They need the database. */
export const repositories = Layer.mergeAll(
  identity,
  AssociatedProjectsRepo.layer,
  AttemptsRepo.layer,
  CandidatesRepo.layer,
  CommunicationsRepo.layer,
  ProspectSetsRepo.layer,
  CompaniesRepo.layer,
  ContactsRepo.layer,
  DeliveriesRepo.layer,
  DispatchRepo.layer,
  DuplicatesRepo.layer,
  EntriesRepo.layer,
  ExternalRefsRepo.layer,
  FilesRepo.layer,
  LinksRepo.layer,
  RemaindersRepo.layer,
  MandateBoxesRepo.layer,
  MandatesRepo.layer,
  MessagesRepo.layer,
  NotesRepo.layer,
  OfferPeopleRepo.layer,
  OffersRepo.layer,
  ProjectsRepo.layer,
  PropertiesRepo.layer,
  ProspectsRepo.layer,
  AccessRepo.layer,
  DocumentsRepo.layer,
  QaRepo.layer,
  QuestionsRepo.layer,
  QuotasRepo.layer,
  RoomsRepo.layer,
  TasksRepo.layer,
  TeasersRepo.layer,
  SchedulerRepo.layer,
  WebhookHealthRepo.layer,
  WebhooksRepo.layer
)
