import { expect, it } from 'vitest';
import { whoMay } from '../../console/src/shell/whoMay.ts';
import { roleNames, roles } from '../../schemas/identity/roles.ts';

const words = { admin: 'administrators', finops: 'finops', engineer: 'engineers', viewer: 'viewers' };

it.each(Object.entries(whoMay))('names the roles that have the scope %s', (scope, text) => {
  const own = roleNames.filter((role) => roles[role].some((one) => one === scope));

  expect(text.toLowerCase().split(/, | and /)).toEqual(own.map((role) => words[role]));
});
