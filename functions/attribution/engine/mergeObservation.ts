import type { ObservationTrace } from '../../../schemas/attribution/explanation.ts';
import type { StatedBy } from '../../../schemas/attribution/statedBy.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import type { Attribution } from '../../ledger/records/attribution.ts';
import {
  authorityOver,
  type Party,
  partyOf,
  type RecordState,
  type Right,
} from '../../ledger/records/dedup/statementPolicy.ts';
import { type Provenance, shownProvenance } from '../../ledger/records/provenance.ts';
import { toInvocationEvent } from '../../ledger/records/storedEvent.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import { normalizeEvent } from './attribute.ts';
import { type Candidate, identityOf, isCompleted, isEmpty, isRicher, PARTS } from './observationParts.ts';

/** A call as all its observers together describe it. */
export interface ObservedCall {
  readonly event: InvocationEvent;
  readonly observations: readonly ObservationTrace[] | undefined;
}

/** Of an event. */
const TAGS_MAXIMUM = 20;

/** Of tags, which are united, and of names, whose lowest stated confidence holds. */
const TAGS = 'tags';
const NAMES = ['attributed_identity', 'attributed_service'];

const observerIn = ({ ingestion_layer: layer, source_system: system, stated_by }: ObservationTrace) => ({
  layer,
  system,
  by: stated_by?.id,
});

/** Identifies who observed a call. */
export const observerOf = (
  { ingestion_layer, source_system }: InvocationEvent,
  statedBy: StatedBy | undefined,
): string =>
  sha256Of('observer', statedBy?.kind ?? '', statedBy?.id ?? '', ingestion_layer, source_system ?? '')
    .subarray(0, 9)
    .toString('base64url');

/** The observations of a record. A record with one observation does not list it. */
const observationsOf = (event: InvocationEvent, { explanation, storedEvent }: Attribution) =>
  explanation.observations ?? [
    {
      ingestion_layer: event.ingestion_layer,
      source_system: event.source_system ?? null,
      ...(storedEvent.stated_by !== undefined && { stated_by: shownProvenance(storedEvent.stated_by) }),
      supplied: Object.entries(PARTS)
        .filter(([, part]) => !isEmpty(part, event))
        .map(([name]) => name),
    },
  ];

const lowest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);

/** An observation of a call: the event, and who states it. */
export interface Observation {
  readonly event: InvocationEvent;
  readonly statedBy: Provenance;
  /** Whether its observer has reported the call before, with other content. */
  readonly isRepeat?: boolean;
}

/** What one observer may do to the parts of a record. */
const rightsOver = (
  known: InvocationEvent,
  observations: readonly ObservationTrace[],
  record: RecordState,
) => {
  const holderOf = (name: string) => observations.find(({ supplied }) => supplied.includes(name));
  const partyOfHolder = (name: string): Party | undefined => {
    const holder = holderOf(name);
    if (holder !== undefined) return holder.stated_by === undefined ? null : partyOf(holder.stated_by);
    return name === TAGS && (known.tags ?? []).length > 0 ? record.party : undefined;
  };
  return { holderOf, partyOfHolder };
};

/** The tags of a call. Those of one party are united. */
const mergeTags = (known: readonly string[], incoming: readonly string[], right: Right): string[] => {
  if (right === 'never' || incoming.length === 0) return [...known];
  const tags = right === 'always' ? incoming : [...known, ...incoming];
  return [...new Set(tags)].toSorted().slice(0, TAGS_MAXIMUM);
};

/**
 * The call of a record together with one more observation of it. Each part comes from the observation that knows most about
 * it, of those whose party has the most authority over it. So the result is the same for every order of arrival. A second
 * report of an observer only adds what its first one left out. `known` if it adds nothing, `rejected` if its party has no
 * authority over any part that it states.
 */
export const mergeObservation = (
  current: Attribution,
  { event: sent, statedBy, isRepeat = false }: Observation,
): ObservedCall | 'known' | 'rejected' => {
  const { stated_by: creator } = current.storedEvent;
  const known: InvocationEvent = toInvocationEvent(current.record, current.storedEvent);
  const incoming: InvocationEvent = normalizeEvent(sent);
  const observations = observationsOf(known, current);
  const own = { layer: incoming.ingestion_layer, system: incoming.source_system ?? null, by: statedBy.id };
  const isOwn = (one: ObservationTrace): boolean => identityOf(observerIn(one)) === identityOf(own);
  const earlier = observations.find(isOwn);
  // The first report is not merged, so nothing shows what it left out.
  if (isRepeat && earlier === undefined) return 'known';

  const record = {
    party: creator === undefined ? null : partyOf(creator),
    sourceSystem: known.source_system ?? null,
  };
  const { holderOf, partyOfHolder } = rightsOver(known, observations, record);
  const rightTo = (name: string): Right =>
    authorityOver(statedBy, { name, holder: partyOfHolder(name) }, record);
  const isForeign = partyOf(statedBy) !== record.party;
  const candidate: Candidate = { event: incoming, ...own };
  const stated = Object.entries(PARTS).filter(([, part]) => !isEmpty(part, incoming));
  const won = stated.flatMap(([name, part]) => {
    const [holder, right] = [holderOf(name), rightTo(name)];
    if (right === 'never') return [];
    if (earlier !== undefined) {
      return isCompleted(part, right === 'always' ? null : known, incoming) ? [name] : [];
    }
    if (right === 'always' || holder === undefined) return [name];
    return isRicher(part, candidate, { event: known, ...observerIn(holder) }) ? [name] : [];
  });
  if (earlier !== undefined && won.length === 0) return 'known';
  const hasTags = (incoming.tags ?? []).length > 0 && rightTo(TAGS) === 'always';
  const supplied = hasTags && isForeign ? [...won, TAGS] : won;
  if (isForeign && supplied.length === 0) return 'rejected';

  const names = NAMES.filter((name) => won.includes(name));
  const replacesForeignName = names.some((name) => ![undefined, record.party].includes(partyOfHolder(name)));
  const taken = won.flatMap((name) => PARTS[name]?.members ?? []);
  const confidence = (): number | undefined => {
    if (!isForeign && replacesForeignName) return incoming.attribution_confidence;
    if (isForeign && names.length === 0) return known.attribution_confidence;
    return lowest(known.attribution_confidence, incoming.attribution_confidence);
  };
  const merged = {
    ...known,
    ...Object.fromEntries(taken.map((member) => [member, incoming[member]])),
    tags: mergeTags(known.tags ?? [], incoming.tags ?? [], rightTo(TAGS)),
    attribution_confidence: confidence(),
  };
  const others = observations.filter((one) => !isOwn(one));
  // A record with one observation does not list it.
  if (others.length === 0) return { event: merged, observations: undefined };
  const denied = isForeign ? stated.map(([name]) => name).filter((name) => rightTo(name) === 'never') : [];
  const rejected = [...new Set([...(earlier?.rejected ?? []), ...denied])];
  const replaced = hasTags ? [...won, TAGS] : won;
  const all = [
    ...others.map((one) => ({
      ...one,
      supplied: one.supplied.filter((name) => !replaced.includes(name)),
    })),
    {
      ingestion_layer: own.layer,
      source_system: own.system,
      stated_by: shownProvenance(statedBy),
      supplied: [...new Set([...(earlier?.supplied ?? []), ...supplied])],
      ...(rejected.length > 0 && { rejected }),
    },
  ];
  return {
    event: merged,
    observations: all.toSorted((one, other) =>
      identityOf(observerIn(one)) < identityOf(observerIn(other)) ? -1 : 1,
    ),
  };
};
