import { describe, expect, it } from 'vitest';
import {
  authorityOver,
  CAPTURE,
  type Holder,
  type Right,
} from '../../../../functions/ledger/records/dedup/statementPolicy.ts';
import { OWN_PROVENANCE, type Provenance } from '../../../../functions/ledger/records/provenance.ts';

const connector = (id: string, systems: readonly string[], fills = false): Provenance => ({
  kind: 'oauth_client',
  id,
  connector: id,
  registered: { source_systems: [...systems], fills_other_sources: fills },
});

const tenant = (credential: string | null): Holder => ({ party: null, credential });
const partner = (id: string): Holder => ({ party: id, credential: id });
const ofKey = tenant('key_1');
const ofKong = partner('cli_kong');

/** Who stated a part: nobody, the reporting key, another one, an unknown one of the tenant, and two connectors. */
const HOLDERS = [undefined, ofKey, tenant('key_2'), tenant(null), ofKong, partner('cli_authority')] as const;

/** What a principal may do with a part, by who stated it, in the order of {@link HOLDERS}. */
type Row = readonly [Right, Right, Right, Right, Right, Right];
const NEVER: Row = ['never', 'never', 'never', 'never', 'never', 'never'];
const LATER_KEY: Row = ['always', 'if_empty', 'if_empty', 'if_empty', 'always', 'always'];
const AUTHORITY: Row = ['always', 'never', 'never', 'never', 'never', 'if_richer'];

/** Each kind of principal, with its rights in a record that `key_1` reported first, and in one of the connector of Kong. */
const PRINCIPALS: readonly (readonly [name: string, by: Provenance, ofTenant: Row, ofConnector: Row])[] = [
  [
    'the key that reported first',
    { kind: 'api_key', id: 'key_1' },
    ['always', 'if_richer', 'always', 'always', 'always', 'always'],
    NEVER,
  ],
  [
    'another key',
    { kind: 'api_key', id: 'key_2' },
    ['always', 'if_empty', 'if_richer', 'if_empty', 'always', 'always'],
    NEVER,
  ],
  ['an OAuth client', { kind: 'oauth_client', id: 'cli_1' }, LATER_KEY, NEVER],
  ['a user', { kind: 'user', id: 'usr_1' }, LATER_KEY, NEVER],
  ['an AWS principal', { kind: 'sender', id: 'AIDAACME' }, LATER_KEY, NEVER],
  ['the service', OWN_PROVENANCE, LATER_KEY, NEVER],
  [
    'the connector of its source system',
    connector('cli_kong', ['kong']),
    ['always', 'never', 'never', 'never', 'if_richer', 'never'],
    ['always', 'always', 'always', 'always', 'if_richer', 'always'],
  ],
  ['the connector of another source system', connector('cli_portkey', ['portkey']), NEVER, NEVER],
  ['a connector that fills other sources', connector('cli_authority', [], true), AUTHORITY, AUTHORITY],
  [
    'a connector without a registration',
    { kind: 'oauth_client', id: 'cli_2', connector: 'cli_2' },
    NEVER,
    NEVER,
  ],
];

const rightsOf = (by: Provenance, name: string, record: Holder, sourceSystem: string | null = 'kong') =>
  HOLDERS.map((holder) => authorityOver(by, { name, holder }, { ...record, sourceSystem }));

describe('authority over a part', () => {
  it.each(PRINCIPALS)('of %s', (_, by, ofTenant, ofConnector) => {
    expect(rightsOf(by, 'cost', ofKey)).toEqual(ofTenant);
    expect(rightsOf(by, 'cost', ofKong)).toEqual(ofConnector);
  });

  it.each(PRINCIPALS)(
    "without a known source system is nobody's by registration alone: %s",
    (_, by, ofTenant) => {
      const isFillingAll = by.registered?.fills_other_sources ?? true;

      expect(rightsOf(by, 'cost', ofKey, null)).toEqual(isFillingAll ? ofTenant : NEVER);
    },
  );

  it.each(PRINCIPALS)('to say how a call was captured, and in which trace it is: %s', (_, by, ofTenant) => {
    const isTenant = by.connector === undefined;
    // Each credential adds how it captured a call: this moves neither money nor a name.
    const capture = ['always', 'if_richer', 'if_richer', 'if_richer', 'always', 'always'];

    expect(rightsOf(by, CAPTURE, ofKey)).toEqual(isTenant ? capture : ofTenant);
    expect(rightsOf(by, 'trace', ofKey)).toEqual(isTenant ? ofTenant : NEVER);
  });
});
