/** Where statements look for tables: in the schema of a cell, and for what belongs to no team in `public`. */
export const searchPathOf = (cell: string): string => `${cell}, public`

/** Whether a cell can have this name, which is that of its schema as well. */
export const isCellName = (text: string): boolean => /^cell_[a-z0-9_]{1,40}$/.test(text)
