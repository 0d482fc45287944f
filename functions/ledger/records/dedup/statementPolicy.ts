import type { Provenance } from '../provenance.ts';

/**
 * Who may state what. A party speaks with one voice: all credentials of the tenant are one party, and each connector of a
 * partner is one. The id of a call, a trace or a connector is no secret, so it gives nobody a right.
 *
 *   subject                                  tenant                      connector
 *   ------------------------------------------------------------------------------------------------------------
 *   claim of an event id                     beside those of connectors  beside others, if the tenant has none
 *   empty part of a record of its own        fills                       fills
 *   empty part of a record of the tenant     fills                       fills in its source systems, or if registered for all
 *   part that the tenant stated              replaces if richer          never
 *   part that a connector stated             replaces                    replaces its own if richer
 *   trace of a record                        states                      only of its own records
 *   evidence and repeated usage by trace     for all                     for its own records
 *   health of a connector                    of names nobody registered  of itself
 *
 * All of it holds within one residency lane: a lane has its own claims, records and spans.
 */

/** The client id of a connector; null for the tenant. */
export type Party = string | null;

export const partyOf = ({ connector, id }: Pick<Provenance, 'connector' | 'id'>): Party =>
  connector === undefined ? null : id;

/** Distinguishes the ids of calls that parties and lanes report under one event id. Empty for the home lane of a tenant. */
export const idSpaceOf = (party: Party, lane: string | null, homeLane: string | null): string[] =>
  party === null && lane === homeLane ? [] : [lane === homeLane ? '' : (lane ?? ''), party ?? ''];

/** Whether a party may have a claim of its own, and so a record, for an event id that others have claimed. */
export const mayClaimBeside = (party: Party, others: readonly Party[]): boolean =>
  party === null || !others.includes(null);

/** A part of a record. `holder` stated it; undefined if nobody did. */
export interface PartState {
  readonly name: string;
  readonly holder: Party | undefined;
}

/** The record that a statement is about. */
export interface RecordState {
  readonly party: Party;
  readonly sourceSystem: string | null;
}

/** Whether a statement takes a part: always, if it knows more than the holder, or never. */
export type Right = 'always' | 'if_richer' | 'never';

export const authorityOver = (
  speaker: Provenance,
  { name, holder }: PartState,
  record: RecordState,
): Right => {
  const party = partyOf(speaker);
  if (party === record.party) return holder === undefined || holder !== party ? 'always' : 'if_richer';
  const { registered } = speaker;
  if (registered === undefined || name === 'trace') return 'never';
  const isOwnSystem = record.sourceSystem !== null && registered.source_systems.includes(record.sourceSystem);
  if (!isOwnSystem && !registered.fills_other_sources) return 'never';
  if (holder === undefined) return 'always';
  return holder === party ? 'if_richer' : 'never';
};

/** Whether a span of one party may give evidence about, or repeat the usage of, a span of another. */
export const mayInform = (party: Party, subject: Party): boolean => party === null || party === subject;

/** Whether a party may report the health of a connector. `registered`: the clients that have its name, or this id. */
export const mayReportHealth = (party: Party, registered: readonly string[]): boolean =>
  registered.length === 0 || (party !== null && registered.includes(party));
