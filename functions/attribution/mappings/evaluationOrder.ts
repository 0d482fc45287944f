import { type IdentityMapping, POSITION_MAXIMUM } from '../../../schemas/attribution/identityMapping.ts';
import { ulidInId } from '../../shared/ids.ts';

const POSITION_DIGITS = String(POSITION_MAXIMUM).length;
/** Between a mapping and the one made after it, so that others can be put there without moving either. */
const POSITION_STEP = 10;

type Positioned = Pick<IdentityMapping, 'id' | 'position'>;

/** Where a mapping stands among its tenant's, as text that sorts as they are tried. */
export const evaluationKeyOf = ({ id, position }: Positioned): string =>
  `${String(position).padStart(POSITION_DIGITS, '0')}#${ulidInId(id)}`;

/** In the order they are tried: by position, equal ones in the order they were made. */
export const sortByEvaluationOrder = <Mapping extends Positioned>(mappings: readonly Mapping[]): Mapping[] =>
  mappings
    .map((mapping) => ({ mapping, place: evaluationKeyOf(mapping) }))
    .sort((one, other) => (one.place < other.place ? -1 : 1))
    .map(({ mapping }) => mapping);

/** The position behind the last one given; at the maximum, a later id is what puts a mapping behind. */
export const nextPosition = (last: number): number => Math.min(last + POSITION_STEP, POSITION_MAXIMUM);
