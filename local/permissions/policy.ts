/** A statement of an identity-based IAM policy, with resolved ARNs. */
export interface Statement {
  readonly effect: 'Allow' | 'Deny';
  readonly actions: readonly string[];
  readonly resources: readonly string[];
}

/** What a call needs: an action on a resource. */
export interface Permission {
  readonly action: string;
  readonly resource: string;
}

const patterns = new Map<string, RegExp>();

/** `*` matches any characters, `?` one. */
const patternOf = (text: string, flags: string): RegExp => {
  const name = `${flags} ${text}`;
  const known = patterns.get(name);
  if (known !== undefined) return known;
  const source = text
    .replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const pattern = new RegExp(`^${source}$`, flags);
  patterns.set(name, pattern);
  return pattern;
};

const matches = ({ actions, resources }: Statement, { action, resource }: Permission): boolean =>
  actions.some((one) => patternOf(one, 'i').test(action)) &&
  resources.some((one) => one === resource || patternOf(one, '').test(resource));

/** Evaluates identity-based policies as IAM does: a denial wins over every permission, and nothing is allowed by default. */
export const isAllowed = (statements: readonly Statement[], permission: Permission): boolean => {
  const matching = statements.filter((statement) => matches(statement, permission));
  return matching.length > 0 && matching.every(({ effect }) => effect === 'Allow');
};
