/** Words of Python 3 that cannot name a member of a class or a parameter. */
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from ' +
    'global if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** Whether a name can be written as an identifier of Python. */
export const isIdentifier = (name: string): boolean =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !KEYWORDS.has(name);

/** `getUsageReport` as `get_usage_report`, `createOAuthClient` as `create_oauth_client`. */
export const toSnakeCase = (name: string): string =>
  name
    .replace(/OAuth/g, 'Oauth')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();

/** `cost_usd` as `CostUsd`, `occurred_at[gte]` as `OccurredAtGte`. */
export const toPascalCase = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== '')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
