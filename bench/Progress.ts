/** What a measurement tells its user while it runs. */
import { Console } from "effect"

/** Writes a line to stderr, with the time of day in UTC. */
export const say = (text: string) => Console.error(`${new Date().toISOString().slice(11, 19)} ${text}`)
