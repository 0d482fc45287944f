/**
 * What a mutation can unlock, expose, change or permanently remove, and whether a user needs a recent sign-in for it.
 * A stolen session must not be able to gain access, move data out, rewrite costs or destroy configuration.
 * A route with several effects declares the most dangerous one; they are listed in that order.
 */
export const effects = {
  /** Issues, replaces or ends an API key or an OAuth client. */
  credentials: { stepUp: true },
  /** Sends tenant data to an outside host, or changes the host, the events or the signing secret. */
  egress: { stepUp: true },
  /**
   * Produces data files. The caller could also read the same data page by page, but one call covers months, the
   * download links need no credential, and a schedule continues after the session has ended.
   */
  export: { stepUp: true },
  /** Changes who is charged, or the costs: mappings, corrections, models, provider bills. */
  attribution: { stepUp: true },
  /** Changes configuration of the whole tenant or of an alert. A budget raised out of reach is a removed alert. */
  settings: { stepUp: true },
  /** Removes configuration permanently. */
  deletion: { stepUp: true },
  /** Adds the caller's own events. Reads nothing back and changes no configuration. */
  ingestion: { stepUp: false },
  /** Issues or revokes tokens; the request itself proves who asks. */
  authentication: { stepUp: false },
  /** Exposes only what a GET shows with the same scope, and removes nothing that cannot be requested again. */
  none: { stepUp: false },
} as const satisfies Record<string, { readonly stepUp: boolean }>;

export type Effect = keyof typeof effects;
