/** What can be restored of what somebody deleted. */

/** The types of records, in the order in which they are restored: first those with which others come back. */
export const restorable = ["contact", "company", "property", "mandate", "link"] as const

/** A type of record that can be restored. */
export type RestorableType = (typeof restorable)[number]
