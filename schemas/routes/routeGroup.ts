import type { RouteShape } from './route.ts';

/** Routes that the documentation shows together. */
export interface RouteGroup {
  /** The public name, a tag in the OpenAPI document. */
  readonly name: string;
  readonly description: string;
  readonly routes: readonly RouteShape[];
}
