import type { RouteShape } from '../../../../schemas/routes/route.ts';
import { buildOpenapi } from './openapi.ts';

/** The month of the timestamps in all examples. */
const EXAMPLE_MONTH = '2026-03-';

/** The month before an instant, as in `2026-03-`. */
export const previousMonth = (now: number): string => {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1)).toISOString().slice(0, 8);
};

/** The example of a schema as it is published. */
export const recentExample = (example: unknown, now: number): unknown =>
  JSON.parse(JSON.stringify(example).replaceAll(EXAMPLE_MONTH, previousMonth(now)));

/**
 * The OpenAPI document as served. The examples are of the previous month, because the service refuses events that are older
 * than 13 months.
 */
export const openapiText = (routes: readonly RouteShape[], baseUrl: string, now: number): string =>
  JSON.stringify(buildOpenapi(routes, baseUrl)).replaceAll(EXAMPLE_MONTH, previousMonth(now));
