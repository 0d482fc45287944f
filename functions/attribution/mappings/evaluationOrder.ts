import { type IdentityMapping, POSITION_MAXIMUM } from '../../../schemas/attribution/identityMapping.ts';
import { ulidInId } from '../../platform/shared/ids.ts';

const POSITION_DIGITS = String(POSITION_MAXIMUM).length;
/** Gap between the positions of new mappings, so that others can be inserted without moving them. */
const POSITION_STEP = 10;

type Positioned = Pick<IdentityMapping, 'id' | 'position'>;

/** Sort key of a mapping in the order of evaluation. */
export const evaluationKeyOf = ({ id, position }: Positioned): string =>
  `${String(position).padStart(POSITION_DIGITS, '0')}#${ulidInId(id)}`;

/** Sorts by position, then by creation. */
export const sortByEvaluationOrder = <Mapping extends Positioned>(mappings: readonly Mapping[]): Mapping[] =>
  mappings
    .map((mapping) => ({ mapping, key: evaluationKeyOf(mapping) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ mapping }) => mapping);

/** The position of a new mapping after `last`. At the maximum, the later id places it last. */
export const nextPosition = (last: number): number => Math.min(last + POSITION_STEP, POSITION_MAXIMUM);
