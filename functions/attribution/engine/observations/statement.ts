import type { ObservationTrace } from '../../../../schemas/attribution/observation.ts';
import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import type { Attribution } from '../../../ledger/records/attribution.ts';
import {
  authorityOver,
  type Holder,
  holderOf,
  type Right,
} from '../../../ledger/records/dedup/statementPolicy.ts';
import { type Provenance, shownProvenance } from '../../../ledger/records/provenance.ts';
import { toInvocationEvent } from '../../../ledger/records/storedEvent.ts';
import { normalizeEvent } from '../attribute.ts';
import { type Candidate, identityOf, isEmpty, PARTS, type Part } from './observationParts.ts';

/** An observation of a call: the event, and who states it. */
export interface Observation {
  readonly event: InvocationEvent;
  readonly statedBy: Provenance;
  /** Whether its observer has reported the call before, with other content. */
  readonly isRepeat?: boolean;
  /** Parts that it does not fill, because a figure of the record would fall. */
  readonly without?: readonly string[];
}

/** Tags are united, so they are no part. */
export const TAGS = 'tags';

/** What an observation states about the call of a record, and with which right. */
export interface Statement {
  readonly known: InvocationEvent;
  readonly incoming: InvocationEvent;
  readonly statedBy: Provenance;
  readonly own: Omit<Candidate, 'event'>;
  /** What the same observer stated before. */
  readonly earlier: ObservationTrace | undefined;
  /** The other observations of the record. */
  readonly others: readonly ObservationTrace[];
  readonly parts: readonly (readonly [name: string, part: Part])[];
  readonly observationOf: (name: string) => ObservationTrace | undefined;
  readonly rightTo: (name: string) => Right;
  /** Whether it is of another party than the record, such as a connector. */
  readonly isForeign: boolean;
  /** Whether its credential reported the call first. */
  readonly isCreator: boolean;
  /** Whether another credential has stated a part. */
  readonly isOtherHolder: (name: string) => boolean;
}

export const observerIn = ({
  ingestion_layer: layer,
  source_system: system,
  stated_by,
}: ObservationTrace) => ({
  layer,
  system,
  by: stated_by?.id,
});

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

export const statementOn = (current: Attribution, { event, statedBy }: Observation): Statement => {
  const known: InvocationEvent = toInvocationEvent(current.record, current.storedEvent);
  const incoming: InvocationEvent = normalizeEvent(event);
  const observations = observationsOf(known, current);
  const own = { layer: incoming.ingestion_layer, system: incoming.source_system ?? null, by: statedBy.id };
  const isOwn = (one: ObservationTrace): boolean => identityOf(observerIn(one)) === identityOf(own);
  const speaker = holderOf(statedBy);
  const record = { ...holderOf(current.storedEvent.stated_by), sourceSystem: known.source_system ?? null };
  const observationOf = (name: string) => observations.find(({ supplied }) => supplied.includes(name));
  const holder = (name: string): Holder | undefined => {
    const observation = observationOf(name);
    if (observation !== undefined) return holderOf(observation.stated_by);
    return name === TAGS && (known.tags ?? []).length > 0 ? record : undefined;
  };
  return {
    known,
    incoming,
    statedBy,
    own,
    earlier: observations.find(isOwn),
    others: observations.filter((one) => !isOwn(one)),
    parts: Object.entries(PARTS).filter(([, part]) => !isEmpty(part, incoming)),
    observationOf,
    rightTo: (name) => authorityOver(statedBy, { name, holder: holder(name) }, record),
    isForeign: speaker.party !== record.party,
    isCreator: speaker.credential === record.credential,
    isOtherHolder: (name) => holder(name) !== undefined && holder(name)?.credential !== speaker.credential,
  };
};
