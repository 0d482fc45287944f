export type Json = Readonly<Record<string, unknown>>;

/** How much of a new version a change needs. A `major` change breaks clients of the same major version. */
export type Bump = 'major' | 'minor' | 'patch';

/** One difference between two OpenAPI documents. */
export interface Change {
  readonly bump: Bump;
  /** The operation or the webhook, such as `GET /v1/attribution`. */
  readonly operation: string;
  /** The place in the operation, such as `response 200.data.items.owner`. */
  readonly at: string;
  readonly change: string;
}

/** Reports a difference at a place. */
export type Report = (bump: Bump, at: string, change: string) => void;

export const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? Object(value) : {};
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Follows the `$ref`s of one document. */
export const resolverOf =
  (document: Json) =>
  (value: unknown): Json => {
    let node = asObject(value);
    while (typeof node['$ref'] === 'string') {
      const { $ref, ...siblings } = node;
      const names = String($ref).split('/').slice(1);
      const target = names.reduce<unknown>(
        (inside, name) => asObject(inside)[name.replaceAll('~1', '/').replaceAll('~0', '~')],
        document,
      );
      node = { ...asObject(target), ...siblings };
    }
    return node;
  };
