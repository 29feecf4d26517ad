/** The part of https://undici.nodejs.org that is used: its index loads four times as much. */
declare module "undici/lib/dispatcher/client.js" {
  export { Client as default } from "undici"
}
