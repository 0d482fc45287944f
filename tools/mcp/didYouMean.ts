import { nearestName } from '../../functions/platform/shared/nearestName.ts';

/** A sentence that names what was probably meant. Empty if nothing is near. */
export const didYouMean = (name: string, known: readonly string[]): string => {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
};
