/** What is used of https://marked.js.org, whose version 4 comes without types. */
declare module "marked" {
  /** Writes the HTML of each part. */
  class Renderer {
    html: (text: string) => string
    image: (href: string | null, title: string | null, text: string) => string
    code: (text: string, language: string | undefined, isEscaped: boolean) => string
    link: (href: string | null, title: string | null, text: string) => string
    table: (head: string, body: string) => string
  }

  export const marked: {
    readonly Renderer: typeof Renderer
    readonly parse: (
      text: string,
      options: { readonly renderer: Renderer; readonly headerIds: boolean; readonly mangle: boolean }
    ) => string
  }
}
