import type { IdentityMapping } from '../../../../schemas/attribution/identityMapping.ts';
import { services } from './services.ts';

/** Persons per team: enough for k-anonymity in reports. */
const PERSONS = 14;

const domainOf = (team: string): string => `${team}.example`;

/** Selects a person of a team by a position in [0, 1). */
export const personOf = (team: string, position: number): string =>
  `person-${1 + Math.floor(position * PERSONS)}@${domainOf(team)}`;

/** Identity mappings of the fictional company: the team of a person pays for the person's calls. */
export const teamMappings: readonly Pick<
  IdentityMapping,
  'name' | 'conditions' | 'owner' | 'effective_from'
>[] = [...new Set(services.flatMap(({ team }) => team ?? []))].map((team) => ({
  name: `Everybody of ${team}`,
  conditions: [{ field: 'end_user', operator: 'glob', value: `*@${domainOf(team)}` }],
  owner: team,
  effective_from: '2025-01-01T00:00:00.000Z',
}));
