import type { IdentityMapping } from '../../schemas/attribution/identityMapping.ts';
import { services } from './services.ts';

/** Enough that a report may show a team without pointing at anybody. */
const PERSONS = 14;

const domainOf = (team: string): string => `${team}.example`;

/** One of a team's persons, by a position in [0, 1). */
export const personOf = (team: string, position: number): string =>
  `person-${1 + Math.floor(position * PERSONS)}@${domainOf(team)}`;

/** What the invented company says of its persons: each belongs to a team, which bears what they spend. */
export const teamMappings: readonly Pick<
  IdentityMapping,
  'name' | 'conditions' | 'owner' | 'effective_from'
>[] = [...new Set(services.flatMap(({ team }) => team ?? []))].map((team) => ({
  name: `Everybody of ${team}`,
  conditions: [{ field: 'identity', operator: 'glob', value: `*@${domainOf(team)}` }],
  owner: team,
  effective_from: '2025-01-01T00:00:00.000Z',
}));
