/** API paths of affected resources, and the pages of the console that show them. */
const PAGES: readonly (readonly [pattern: RegExp, page: string])[] = [
  [/^\/console(\/.*)/, '$1'],
  [/^\/api\/v1\/webhooks\/([^/?]+).*/, '/webhooks/$1'],
  [/^\/api\/v1\/budgets.*/, '/budgets'],
  [/^\/api\/v1\/anomalies.*/, '/anomalies'],
  [/^\/api\/v1\/coverage.*/, '/coverage'],
  [/^\/api\/v1\/(?:bill-sources|reconciliation).*/, '/reconciliation'],
  [/^\/api\/v1\/(?:models|tenant).*/, '/quality'],
  [/^\/(?:v1\/exports|api\/v1\/jobs).*/, '/exports'],
  [/^\/v1\/attribution\/([^/?]+).*/, '/records/$1'],
];

/** The page for the link of a notification. An unknown link leads to the overview. */
export const pageOf = (link: string): string => {
  const path = link.replace(/^https?:\/\/[^/]+/, '');
  const found = PAGES.find(([pattern]) => pattern.test(path));
  return found === undefined ? '/' : path.replace(found[0], found[1]);
};
