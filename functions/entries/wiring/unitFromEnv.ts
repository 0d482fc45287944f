import type { RouteShape } from '../../../schemas/routes/route.ts';
import type { BoundOperation } from '../../platform/http/operation.ts';
import { environment } from '../stores/environment.ts';
import { type Providers, type StoresFrom, storesIn } from '../stores/provider.ts';
import { type Pipeline, unit } from './httpHandler.ts';

type UnboundOperation<Stores> = (stores: Stores) => BoundOperation;

/**
 * The Lambda handler of a unit. `stores` are the stores of the needs of its routes; an operation whose need is missing does
 * not compile. `pipeline` makes the pipeline for the routes of the unit. `fallback` handles requests that match no route.
 */
export const unitFromEnv = <P extends Providers>({
  pipeline,
  operations,
  stores: providers,
  fallback,
}: {
  readonly pipeline: (routes: readonly RouteShape[]) => Pipeline;
  readonly operations: readonly UnboundOperation<StoresFrom<P>>[];
  readonly stores: P;
  readonly fallback?: UnboundOperation<StoresFrom<P>>;
}) => {
  const stores = storesIn(environment, providers);
  const bound = operations.map((operation) => operation(stores));
  return unit(bound, pipeline(bound.map(({ route }) => route)), fallback?.(stores));
};
