import type { ObservationTrace } from '../../../schemas/attribution/observation.ts';
import type { StatedBy } from '../../../schemas/attribution/statedBy.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import type { Attribution } from '../../ledger/records/attribution.ts';
import {
  authorityOver,
  type Holder,
  holderOf,
  type RecordState,
  type Right,
} from '../../ledger/records/dedup/statementPolicy.ts';
import { type Provenance, shownProvenance } from '../../ledger/records/provenance.ts';
import { toInvocationEvent } from '../../ledger/records/storedEvent.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import { normalizeEvent } from './attribute.ts';
import { contradictionOf, differs, filled } from './contradiction.ts';
import {
  type Candidate,
  identityOf,
  isCompleted,
  isEmpty,
  isRicher,
  MONEY,
  PARTS,
  saysSomething,
} from './observationParts.ts';

/** A call as all its observers together describe it. */
export interface ObservedCall {
  readonly event: InvocationEvent;
  readonly observations: readonly ObservationTrace[] | undefined;
  /** Whether the observation contradicts what another credential of the tenant states. */
  readonly isContradicted: boolean;
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
  /** Whether it fills no part that sets the money, because the cost of the record would fall. */
  readonly isWithoutMoney?: boolean;
}

const recordStateOf = (event: InvocationEvent, { storedEvent }: Attribution): RecordState => ({
  ...holderOf(storedEvent.stated_by),
  sourceSystem: event.source_system ?? null,
});

/** Who stated each part of a record. */
const holdersOf = (
  known: InvocationEvent,
  observations: readonly ObservationTrace[],
  record: RecordState,
) => {
  const observationOf = (name: string) => observations.find(({ supplied }) => supplied.includes(name));
  const holder = (name: string): Holder | undefined => {
    const observation = observationOf(name);
    if (observation !== undefined) return holderOf(observation.stated_by);
    return name === TAGS && (known.tags ?? []).length > 0 ? record : undefined;
  };
  return { observationOf, holder };
};

/** The key of a tag such as `team:search`; the tag itself, if it has none. */
const keyOfTag = (tag: string): string => tag.split(':', 1)[0] ?? tag;

/** The tags of a call. Those of one credential are united. Another adds tags with keys that the call does not have. */
const mergeTags = (known: readonly string[], incoming: readonly string[], right: Right): string[] => {
  if (right === 'never' || incoming.length === 0) return [...known];
  if (right === 'if_empty') {
    const keys = new Set(known.map(keyOfTag));
    const added = incoming.filter((tag) => !keys.has(keyOfTag(tag)));
    return [...new Set([...known, ...added])].slice(0, TAGS_MAXIMUM).toSorted();
  }
  const tags = right === 'always' ? incoming : [...known, ...incoming];
  return [...new Set(tags)].toSorted().slice(0, TAGS_MAXIMUM);
};

/**
 * The call of a record together with one more observation of it. Each part comes from the observation that knows most about
 * it, of those with the most authority over it (`statementPolicy.ts`). So of one credential, the result is the same for every
 * order of arrival. What another credential of the tenant states against the record is kept beside it. A second report of an
 * observer only adds what its first one left out. `known` if it adds nothing, `rejected` if its party has no authority over
 * any part that it states.
 */
export const mergeObservation = (
  current: Attribution,
  { event: sent, statedBy, isRepeat = false, isWithoutMoney = false }: Observation,
): ObservedCall | 'known' | 'rejected' => {
  const known: InvocationEvent = toInvocationEvent(current.record, current.storedEvent);
  const incoming: InvocationEvent = normalizeEvent(sent);
  const observations = observationsOf(known, current);
  const own = { layer: incoming.ingestion_layer, system: incoming.source_system ?? null, by: statedBy.id };
  const isOwn = (one: ObservationTrace): boolean => identityOf(observerIn(one)) === identityOf(own);
  const earlier = observations.find(isOwn);
  // The first report is not merged, so nothing shows what it left out.
  if (isRepeat && earlier === undefined) return 'known';

  const speaker = holderOf(statedBy);
  const record = recordStateOf(known, current);
  const { observationOf, holder } = holdersOf(known, observations, record);
  const rightTo = (name: string): Right => authorityOver(statedBy, { name, holder: holder(name) }, record);
  const isForeign = speaker.party !== record.party;
  const isCreator = speaker.credential === record.credential;
  const isOtherHolder = (name: string): boolean =>
    holder(name) !== undefined && holder(name)?.credential !== speaker.credential;
  const candidate: Candidate = { event: incoming, ...own };
  const stated = Object.entries(PARTS).filter(([, part]) => !isEmpty(part, incoming));

  const takes = ([name, part]: (typeof stated)[number]): boolean => {
    const [observation, right] = [observationOf(name), rightTo(name)];
    if (right === 'never') return false;
    if (right === 'if_empty') return isCompleted(part, known, incoming);
    if (earlier !== undefined) return isCompleted(part, right === 'always' ? null : known, incoming);
    if (observation === undefined) return true;
    if (right === 'always') return saysSomething(part, incoming) || !saysSomething(part, known);
    return isRicher(part, candidate, { event: known, ...observerIn(observation) });
  };
  const taken = stated.filter(takes).map(([name]) => name);
  // A confidence belongs to the names of its statement.
  const confidenceOf = ({ attribution_confidence }: InvocationEvent): number => attribution_confidence ?? 1;
  const keepsName = NAMES.some((name) => isOtherHolder(name) && !taken.includes(name));
  const isLessSure = !isCreator && keepsName && confidenceOf(incoming) < confidenceOf(known);
  const isWithheld = (name: string): boolean =>
    (isLessSure && NAMES.includes(name)) || (isWithoutMoney && MONEY.has(name));
  const won = taken.filter((name) => !isWithheld(name));
  if (earlier !== undefined && won.length === 0) return 'known';

  const hasTags = (incoming.tags ?? []).length > 0 && rightTo(TAGS) === 'always';
  const supplied = hasTags && isForeign ? [...won, TAGS] : won;
  if (isForeign && supplied.length === 0) return 'rejected';

  const names = NAMES.filter((name) => won.includes(name));
  const confidence = (): number | undefined => {
    if (!isCreator && (keepsName || names.length === 0)) return known.attribution_confidence;
    return names.some(isOtherHolder) && !keepsName
      ? incoming.attribution_confidence
      : lowest(known.attribution_confidence, incoming.attribution_confidence);
  };
  const members = (name: string) =>
    rightTo(name) === 'if_empty'
      ? filled(name, known, incoming)
      : Object.fromEntries((PARTS[name]?.members ?? []).map((member) => [member, incoming[member]]));
  const merged = {
    ...known,
    ...Object.assign({}, ...won.map(members)),
    tags: mergeTags(known.tags ?? [], incoming.tags ?? [], rightTo(TAGS)),
    attribution_confidence: confidence(),
  };
  const others = observations.filter((one) => !isOwn(one));
  // A record with one observation does not list it.
  if (others.length === 0) return { event: merged, observations: undefined, isContradicted: false };

  const lost = stated.map(([name]) => name).filter((name) => !won.includes(name));
  const denied = isForeign ? lost.filter((name) => rightTo(name) === 'never' || isWithheld(name)) : [];
  const rejected = [...new Set([...(earlier?.rejected ?? []), ...denied])];
  const isContradicting = (name: string): boolean =>
    !isForeign && (isOtherHolder(name) || isWithheld(name)) && differs(name, known, incoming);
  const contradicts = lost.filter(isContradicting).map((name) => contradictionOf(name, incoming));
  /** What another credential had filled in the record of this one. */
  const displacedOf = ({ supplied: parts, stated_by: by }: ObservationTrace) =>
    holderOf(by).party === speaker.party
      ? won
          .filter((name) => parts.includes(name) && isOtherHolder(name) && differs(name, incoming, known))
          .map((name) => contradictionOf(name, known))
      : [];
  const withContradictions = (one: Pick<ObservationTrace, 'contradicts'>, added: typeof contradicts) => {
    const all = [...(one.contradicts ?? []), ...added];
    return all.length > 0 && { contradicts: all };
  };
  const replaced = hasTags ? [...won, TAGS] : won;
  const all = [
    ...others.map((one) => ({
      ...one,
      supplied: one.supplied.filter((name) => !replaced.includes(name)),
      ...withContradictions(one, displacedOf(one)),
    })),
    {
      ingestion_layer: own.layer,
      source_system: own.system,
      stated_by: shownProvenance(statedBy),
      supplied: [...new Set([...(earlier?.supplied ?? []), ...supplied])],
      ...(rejected.length > 0 && { rejected }),
      ...withContradictions(earlier ?? {}, contradicts),
    },
  ];
  return {
    event: merged,
    observations: all.toSorted((one, other) =>
      identityOf(observerIn(one)) < identityOf(observerIn(other)) ? -1 : 1,
    ),
    isContradicted: contradicts.length > 0,
  };
};
