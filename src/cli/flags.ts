/** Arguments and flags of several commands. */
import { Argument, Flag } from "effect/cli"

/** The e-mail address of a user. */
export const email = Argument.String("email").pipe(Argument.withDescription("The user's e-mail address"))

/** The team that a command is about. */
export const team = Flag.String("team").pipe(Flag.withDescription("The team's id (`team list` shows it)"))

/** The role of a member. */
export const role = Flag.Literals("role", ["admin", "member"]).pipe(Flag.withDescription("The user's role in the team"))

/** The status of a capability. */
export const capability = (name: "broker" | "investor") =>
  Flag.Literals(name, ["active", "pending"]).pipe(
    Flag.withDescription(`The ${name} capability: approved or only requested`),
    Flag.optional
  )

/** As {@link capability}, with `none` to remove it. */
export const capabilityOrNone = (name: "broker" | "investor", otherwise: string) =>
  Flag.Literals(name, ["active", "pending", "none"]).pipe(
    Flag.withDescription(`The ${name} capability (${otherwise})`),
    Flag.map((value) => (value === "none" ? null : value)),
    Flag.optional
  )
