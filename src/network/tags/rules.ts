/** The decisions on tags of a team (docs/behaviour/network.md#tags-of-the-team): pure. */
import { distinctTags } from "../../core/fields/Text.ts"
import type { TagCounts } from "./Tag.ts"

/** Tags with one in the place of another, each once. */
export const renamedTags = (tags: ReadonlyArray<string>, from: string, to: string): ReadonlyArray<string> =>
  distinctTags(tags.map((tag) => (tag === from ? to : tag)))

/** How many records these are in all. */
export const totalOf = ({ companies, contacts, prospects }: TagCounts): number => companies + contacts + prospects
