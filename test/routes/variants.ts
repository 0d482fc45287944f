import { routes } from '../../schemas/routes/index.ts';
import type { RouteShape } from '../../schemas/routes/route.ts';

/**
 * The variants of a refusal to test on a route. The routes of a function share the code that refuses, so its first route
 * gets all variants, and each further one another single variant. `isAlike` tells which routes share that code.
 */
export const variantsFor = <Variant>(
  route: RouteShape,
  variants: readonly Variant[],
  isAlike: (other: RouteShape) => boolean,
): readonly Variant[] => {
  const index = routes.filter((other) => other.unit === route.unit && isAlike(other)).indexOf(route);
  const single = index % variants.length;
  return index <= 0 ? variants : variants.slice(single, single + 1);
};
