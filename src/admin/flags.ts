/** Arguments and flags that several commands have. */
import { Argument, Flag } from "effect/cli"

/** The e-mail address of a user. */
export const email = Argument.String("email").pipe(Argument.withDescription("The user's e-mail address"))

/** The team that a command is about. */
export const team = Flag.String("team").pipe(Flag.withDescription("The team's id (`team list` shows it)"))

/** What a member may do in the team. */
export const role = Flag.Literals("role", ["admin", "member"]).pipe(
  Flag.withDescription("What the user may do in the team")
)

/** How far a capability is. */
export const capability = (name: "broker" | "investor") =>
  Flag.Literals(name, ["active", "pending"]).pipe(
    Flag.withDescription(`The ${name} capability: approved, or only requested`),
    Flag.optional
  )

/** As {@link capability}, where there may be one to take away. */
export const capabilityOrNone = (name: "broker" | "investor", otherwise: string) =>
  Flag.Literals(name, ["active", "pending", "none"]).pipe(
    Flag.withDescription(`The ${name} capability (${otherwise})`),
    Flag.map((value) => (value === "none" ? null : value)),
    Flag.optional
  )
