/** The commands of brokers on teasers. */
import { Command } from "effect/cli"
import { communicate } from "./communications.ts"

/** `teaser …` */
export const teaser = Command.make("teaser").pipe(
  Command.withDescription("The anonymous descriptions that investors receive"),
  Command.withSubcommands([communicate])
)
