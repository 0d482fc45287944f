import { routes } from '../../schemas/routes/index.ts';
import type { RouteShape } from '../../schemas/routes/route.ts';

/**
 * The variants of a refusal to test on a route. All functions share the code that refuses, so the variants are dealt out to
 * the routes that share it: each route gets at least one, and each variant goes to at least one route. `isAlike` tells which
 * routes share that code.
 */
export const variantsFor = <Variant>(
  route: RouteShape,
  variants: readonly Variant[],
  isAlike: (other: RouteShape) => boolean,
): readonly Variant[] => {
  const alike = routes.filter(isAlike);
  const position = alike.indexOf(route);
  return variants.filter(
    (_, index) => index === position % variants.length || index % alike.length === position,
  );
};
