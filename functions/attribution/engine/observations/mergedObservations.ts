import type { Contradiction, ObservationTrace } from '../../../../schemas/attribution/observation.ts';
import { holderOf } from '../../../ledger/records/dedup/statementPolicy.ts';
import { shownProvenance } from '../../../ledger/records/provenance.ts';
import { contradictionOf, differs, timeContradictionsIn } from './contradiction.ts';
import { identityOf } from './observationParts.ts';
import { observerIn, type Statement, TAGS } from './statement.ts';
import type { WonParts } from './wonParts.ts';

type Contradicts = Pick<ObservationTrace, 'contradicts'>;

/** What an observation states that another credential of its party holds. The first one fixed the time. */
export const contradictionsIn = (
  { known, incoming, isForeign, isCreator, isOtherHolder }: Statement,
  { lost, isWithheld }: WonParts,
): Contradiction[] => {
  if (isForeign) return [];
  const parts = lost
    .filter((name) => (isOtherHolder(name) || isWithheld(name)) && differs(name, known, incoming))
    .map((name) => contradictionOf(name, incoming));
  return isCreator ? parts : [...parts, ...timeContradictionsIn(known, incoming)];
};

/** What another credential of the party had filled in the record of this one. */
const displacedOf = (
  { known, incoming, statedBy, isOtherHolder }: Statement,
  { won }: WonParts,
  { supplied, stated_by }: ObservationTrace,
): Contradiction[] =>
  holderOf(stated_by).party === holderOf(statedBy).party
    ? won
        .filter((name) => supplied.includes(name) && isOtherHolder(name) && differs(name, incoming, known))
        .map((name) => contradictionOf(name, known))
    : [];

const withContradictions = ({ contradicts = [] }: Contradicts, added: readonly Contradiction[]) => {
  const all = [...contradicts, ...added];
  return all.length > 0 && { contradicts: all };
};

/** The observations of a record after one more: who supplied, contradicts and was refused which part. */
export const mergedObservations = (
  statement: Statement,
  parts: WonParts,
  supplied: readonly string[],
  hasTags: boolean,
): ObservationTrace[] => {
  const { statedBy, own, earlier, others, rightTo, isForeign } = statement;
  const { won, lost, isWithheld } = parts;
  const denied = isForeign ? lost.filter((name) => rightTo(name) === 'never' || isWithheld(name)) : [];
  const rejected = [...new Set([...(earlier?.rejected ?? []), ...denied])];
  const replaced = hasTags ? [...won, TAGS] : won;
  const all = [
    ...others.map((one) => ({
      ...one,
      supplied: one.supplied.filter((name) => !replaced.includes(name)),
      ...withContradictions(one, displacedOf(statement, parts, one)),
    })),
    {
      ingestion_layer: own.layer,
      source_system: own.system,
      stated_by: shownProvenance(statedBy),
      supplied: [...new Set([...(earlier?.supplied ?? []), ...supplied])],
      ...(rejected.length > 0 && { rejected }),
      ...withContradictions(earlier ?? {}, contradictionsIn(statement, parts)),
    },
  ];
  return all.toSorted((one, other) => (identityOf(observerIn(one)) < identityOf(observerIn(other)) ? -1 : 1));
};
