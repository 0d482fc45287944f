import type { Scope } from '../identity/scopes.ts';

/**
 * What a route can unlock, expose, change or permanently remove, and whether a user needs a recent sign-in for it.
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
  /**
   * Returns download links, which need no credential. The handler requires the recent sign-in when it signs links, so
   * a session can poll the status of an export until it ends.
   */
  download: { stepUp: 'links' },
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
  /** A read, or a mutation that exposes only what a read with the same scopes shows and can be requested again. */
  none: { stepUp: false },
} as const satisfies Record<string, { readonly stepUp: boolean | 'links' }>;

export type Effect = keyof typeof effects;

/**
 * The data-residency lanes that a route covers. `none`: nothing in the response belongs to a lane. `own`: the handler
 * limits the route to the lane of the caller's credential. `all`: data or effects of every lane, so a credential that
 * is bound to a lane is rejected.
 */
export type LaneCoverage = 'none' | 'own' | 'all';

/**
 * What a caller can obtain through a route, now or later. Required on every route: the required scopes, the lane check
 * and the step-up authentication follow from it.
 */
export interface Authority {
  readonly effect: Effect;
  /** Scopes whose data the response contains, besides the scope in `access`. The caller needs all of them. */
  readonly reveals: readonly Scope[];
  /** Scopes whose data the response contains only if the caller has them. */
  readonly withholds?: readonly Scope[];
  /** Scopes whose data the handler reads, but shows to nobody. */
  readonly internal?: readonly Scope[];
  readonly lanes: LaneCoverage;
}
