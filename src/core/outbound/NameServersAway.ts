/** The name servers of this machine answer nothing at all, so that nothing is known of the host. */
export class NameServersAway extends Error {
  override readonly name = "NameServersAway"
}
