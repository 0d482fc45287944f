import * as fc from 'fast-check';
import { attribute } from '../../../functions/attribution/engine/attribute.ts';
import { compileMappings } from '../../../functions/attribution/mappings/mappingRules.ts';
import { groupOf } from '../../../functions/ledger/rollups/rollup.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { anEvent, noFactors } from '../../attribution/engine/events.ts';
import { aMapping, condition } from '../../attribution/mappings/mappings.ts';
import { type Call, rollupReaderOfGroups, TENANT } from '../../insight/reports/calls.ts';

const NAMES = ['ann', 'josé', 'maria.lopez', 'straße', 'юля', 'kim', 'lee', 'omar', 'eve', 'bob'];

/** How the layers of one company spell a person: applications, gateways, clouds, directories and copied text. */
const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => ` ${name}\u00A0`,
  (name) => name.normalize('NFD'),
  (name) => `${name.slice(0, 2)}\u200B${name.slice(2)}`,
  (name) => name.replace(/^[a-z]/, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)),
  (name) => `${name}@acme.example`,
  (name) => `${name.toUpperCase()}@Acme.Example`,
  (name) => `${name}+llm@acme.example`,
  (name) => `mailto:${name}@acme.example`,
  (name) => `Someone <${name}@acme.example>`,
  (name) => `user/${name}`,
  (name) => `arn:aws:iam::123456789012:user/${name}`,
  (name) => `arn:aws:sts::123456789012:assumed-role/engineer/${name}@acme.example`,
  (name) => `ACME\\${name}`,
];

/** How the calls of a person arrive: with a name, or only with the key or the workload of the person. */
const LAYERS: readonly ((name: string, spelling: (name: string) => string) => Partial<InvocationEvent>)[] = [
  (name, spelling) => ({ attributed_identity: spelling(name) }),
  (name) => ({ api_key_name: `${name}-laptop` }),
  (name) => ({ api_key_name: `key-of-${name}` }),
  (name) => ({ k8s_namespace: `${name}-dev`, k8s_workload: 'notebook' }),
  (name) => ({ spiffe_id: `spiffe://prod.example.org/ns/${NAMES.indexOf(name)}/sa/notebook` }),
];

const mappings = compileMappings([
  // A key that an administrator translated into its person.
  aMapping(1, { conditions: [condition('api_key_name', 'key-of-kim')], owner: 'kim' }),
  aMapping(2, {
    conditions: [condition('api_key_name', 'nightly-batch')],

    service: 'nightly',
  }),
  ...['ml-team@acme.example', '@acme/ml-platform', 'platform'].map((owner, index) =>
    aMapping(index + 3, { conditions: [condition('tag', `team:${index}`)], owner }),
  ),
]);

/** A person's calls come through one layer, in any of its spellings. Null: a batch that is a declared service. */
const callOf = (persons: number) =>
  fc.record({
    person: fc.option(fc.nat({ max: persons - 1 }), { nil: null, freq: 8 }),
    spelling: fc.constantFrom(...SPELLINGS),
    at: fc
      .tuple(fc.constantFrom('2026-03-01', '2026-03-02', '2026-04-01'), fc.constantFrom('09:05', '10:20'))
      .map(([day, time]) => Date.parse(`${day}T${time}:00Z`)),
    service: fc.constantFrom('hr-case', 'ranking', undefined),
    team: fc.option(fc.nat({ max: 2 }), { nil: undefined }),
  });

/** Logs of at most so many persons as gateways write them, with the person behind each call. Each call has a bit of its own. */
export const realisticLogs = (persons = NAMES.length) =>
  fc
    .tuple(
      fc.array(callOf(persons), { minLength: 4, maxLength: 24 }),
      fc.array(fc.nat({ max: LAYERS.length - 1 }), { minLength: NAMES.length, maxLength: NAMES.length }),
    )
    .map(([calls, layers]) => {
      const groups = calls.map(({ person, spelling, at, service, team }, index) => {
        const name = NAMES[person ?? 0] ?? '';
        const layer = LAYERS[layers[person ?? 0] ?? 0] ?? LAYERS[0];
        const event = anEvent({
          ...(person === null ? { api_key_name: 'nightly-batch' } : layer?.(name, spelling)),
          ...(service !== undefined && { attributed_service: service }),
          ...(team !== undefined && { tags: [`team:${team}`] }),
        });
        const times = { occurredAt: at, receivedAt: at, residency: null };
        const tenant = { tenant_id: TENANT, tag: 'abcdefgh' };
        const attribution = attribute(event, times, tenant, noFactors, { mappings });
        const group = groupOf(attribution, { watched: new Set(), costAllocation: [] });
        const bit = 2 ** index;
        const cost = { low: String(bit), central: String(bit), high: String(bit), unknown: 0 };
        return { at, group: { ...group, figures: { ...group.figures, invocations: bit, cost_usd: cost } } };
      });
      return {
        reader: rollupReaderOfGroups(groups),
        calls: calls.map(
          ({ person, at }): Call => ({ at, person: person === null ? undefined : String(person) }),
        ),
      };
    });
