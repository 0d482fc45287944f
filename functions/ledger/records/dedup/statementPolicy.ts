import type { StatedBy } from '../../../../schemas/attribution/statedBy.ts';
import type { Provenance } from '../provenance.ts';

/**
 * Who may state what. The tenant is one party, and each connector of a partner is one. Within a party, each credential answers
 * for what it stated: a rotated key keeps its id, so it is the same credential. The id of a call, a trace or a connector is
 * no secret, so it gives nobody a right.
 *
 *   subject                                  credential of the tenant    connector
 *   ------------------------------------------------------------------------------------------------------------
 *   claim of an event id                     beside those of connectors  beside others, if the tenant has none
 *   further ids of a call, equal usage       join records, of which the  never
 *                                            one that costs most counts,
 *                                            unless they name two payers
 *   empty part of a record of its own        fills                       fills
 *   empty part of a record of the tenant     fills                       fills in its source systems, or if registered for all
 *   part that the credential itself stated   replaces if richer          replaces if richer
 *   part that who reported first stated      contradicts                 never
 *   part that another filled in a record     replaces if it reported     never
 *   of the tenant                            first, else contradicts
 *   part that a connector filled             replaces                    never, if another did
 *   how a call was captured                  replaces if nearer          of its own records
 *   trace of a record                        states                      only of its own records
 *   evidence by trace                        for all                     for its own records
 *   repeated usage by trace                  of another credential: if it states as much, and no other payer
 *   owner and service, by a correction       in its lane                 never
 *   health of a connector                    of names nobody registered  of itself
 *
 * Whoever fills a part of what another stated never lowers its cost, its reported energy and carbon, or its confidence. All of it holds within one residency
 * lane: a lane has its own claims, records and spans.
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

/**
 * Whether what a party sends may join records: by further ids of a call, or by what it saw of it. A connector could join records
 * of the tenant, or hide one behind its own.
 */
export const mayJoinRecords = (party: Party): boolean => party === null;

/** A part of a record. `holder` stated it; undefined if nobody did. */
export interface PartState {
  readonly name: string;
  readonly holder: Holder | undefined;
}

/** Who stated a part. The credential is null if nothing tells which one of the party did. */
export interface Holder {
  readonly party: Party;
  readonly credential: string | null;
}

export const holderOf = (statedBy: StatedBy | undefined): Holder =>
  statedBy === undefined
    ? { party: null, credential: null }
    : { party: partyOf(statedBy), credential: statedBy.id };

/** The record that a statement is about, with who first reported its call. */
export interface RecordState extends Holder {
  readonly sourceSystem: string | null;
}

/** The part that says how a call was captured. Each observation adds to it, and it moves neither money nor a name. */
export const CAPTURE = 'capture';

/**
 * Whether a statement takes a part: always, if it knows more than the holder, if the holder says nothing of it, or never. One
 * that says something else where the holder has spoken contradicts it: both are kept.
 */
export type Right = 'always' | 'if_richer' | 'if_empty' | 'never';

export const authorityOver = (
  speaker: Provenance,
  { name, holder }: PartState,
  record: RecordState,
): Right => {
  const party = partyOf(speaker);
  if (party === record.party) {
    if (holder === undefined || holder.party !== party) return 'always';
    if (holder.credential === speaker.id || name === CAPTURE) return 'if_richer';
    return record.credential === speaker.id ? 'always' : 'if_empty';
  }
  const { registered } = speaker;
  if (registered === undefined || name === 'trace') return 'never';
  const isOwnSystem = record.sourceSystem !== null && registered.source_systems.includes(record.sourceSystem);
  if (!isOwnSystem && !registered.fills_other_sources) return 'never';
  if (holder === undefined) return 'always';
  return holder.party === party ? 'if_richer' : 'never';
};

/** Whether a span of one party may give evidence about, or repeat the usage of, a span of another. */
export const mayInform = (party: Party, subject: Party): boolean => party === null || party === subject;

/** Who stated a cost, and who pays by its evidence. Undefined payer: nobody is named. */
export interface Charge {
  readonly credential?: string | undefined;
  readonly payer?: string | undefined;
}

/**
 * Whether the cost of one record may count in another record of the same call instead. Records of two credentials must name
 * the same payer: otherwise any key could charge the cost of a call to somebody else.
 */
export const mayMoveCost = (from: Charge, to: Charge): boolean =>
  from.credential === to.credential ||
  from.payer === undefined ||
  to.payer === undefined ||
  from.payer === to.payer;

/** Whether a party may correct the owner and service of records. All else of a record is evidence, which nobody corrects. */
export const mayCorrect = (party: Party): boolean => party === null;

/** Whether a party may report the health of a connector. `registered`: the clients that have its name, or this id. */
export const mayReportHealth = (party: Party, registered: readonly string[]): boolean =>
  registered.length === 0 || (party !== null && registered.includes(party));
