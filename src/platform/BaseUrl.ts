/** The address under which clients reach the service. */
import { Context, Layer } from "effect"

/** The address, without a trailing slash. All URLs in responses begin with it. */
export class BaseUrl extends Context.Service<BaseUrl, string>()("BaseUrl") {}

/** The address as a layer. */
export const layerBaseUrl = (baseUrl: string): Layer.Layer<BaseUrl> => Layer.succeed(BaseUrl, baseUrl)

/** `BASE_URL`, or else the address that the API listens on. */
export const baseUrlOf = (
  settings: { readonly baseUrl: string | undefined; readonly host: string },
  port: number
): string => settings.baseUrl ?? `http://${settings.host.includes(":") ? `[${settings.host}]` : settings.host}:${port}`
