import { expect, it } from 'vitest';
import * as z from 'zod';
import { Settings, type SettingsInput } from '../../lib/settings.ts';
import { KeySchedule } from '../../schemas/platform/keySchedule.ts';
import { needs } from '../../schemas/platform/resources.ts';
import { needsOfUnit } from '../../schemas/routes/index.ts';
import { type UnitName, units } from '../../schemas/routes/route.ts';
import { addressIn, functionId, idIn, idsIn, resourcesOf, templateOf } from './stack.ts';

const template = templateOf({ signingKeys: '1970-01-01T00:00:00Z,2027-02-01T00:00:00Z' });
const keysOf = (of: typeof template) =>
  [...resourcesOf(of, 'AWS::KMS::Key', z.object({ KeyUsage: z.string() }))]
    .filter(([, { KeyUsage }]) => KeyUsage === 'SIGN_VERIFY')
    .map(([id]) => id);
const signing = keysOf(template);
const [first = '', second = ''] = signing;

/** The key schedule in a template value, with logical ids instead of ARNs. */
const scheduleIn = (value: unknown) =>
  KeySchedule.parse(addressIn(template)(value).replaceAll(/\$\{(\w+)\.Arn\}/g, '$1'));
const schedule = [
  { from: 0, keyId: first },
  { from: Date.parse('2027-02-01T00:00:00Z'), keyId: second },
];

it('names a key by its instant, and keeps the name of the first key when keys are added', () => {
  expect(signing).toHaveLength(2);
  expect(first).toBe('KeysSigningD455BFD1');
  expect(second).toMatch(/^KeysSigning20270201T000000Z[0-9A-F]{8}$/);
  expect(keysOf(templateOf({}))).toEqual([first]);
});

it('retains a key in production after it is removed from the list', () => {
  expect(signing.map((id) => template.Resources[id]?.['DeletionPolicy'])).toEqual([
    'RetainExceptOnCreate',
    'RetainExceptOnCreate',
  ]);
});

it('gives a key the same name for every spelling of its instant', () => {
  const keysWith = (signingKeys: SettingsInput['signingKeys']) => keysOf(templateOf({ signingKeys }));

  expect(keysWith(['2027-02-01T01:00:00+01:00'])).toEqual([second]);
  expect(keysWith(['2027-02-01T00:00:00.000Z'])).toEqual([second]);
});

const functions = resourcesOf(
  template,
  'AWS::Lambda::Function',
  z.object({ Role: z.unknown(), Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }) }),
);
const roles = resourcesOf(
  template,
  'AWS::IAM::Role',
  z.object({
    // The role that shifts traffic to a new version has managed policies only.
    Policies: z
      .array(
        z.object({
          PolicyDocument: z.object({
            Statement: z.array(z.object({ Action: z.unknown(), Resource: z.unknown() })),
          }),
        }),
      )
      .default([]),
  }),
);

const actionsOf = (unit: UnitName): string[] =>
  needsOfUnit(unit)
    .map((need) => needs[need])
    .flatMap((access) => ('key' in access && access.key === 'signing' ? access.actions : []));
const deployed = units
  .map((unit) => ({ unit, actions: actionsOf(unit) }))
  .filter(({ actions }) => actions.length > 0);

it.each(deployed)('grants unit $unit the key actions of its needs on both keys', ({ unit, actions }) => {
  const role = idIn(template)(functions.get(functionId(template, 'Units', unit))?.Role) ?? '';
  const statements = (roles.get(role)?.Policies ?? []).flatMap(
    ({ PolicyDocument }) => PolicyDocument.Statement,
  );

  const onKeys = statements.filter(({ Resource }) =>
    idsIn(template)(Resource).some((id) => signing.includes(id)),
  );

  expect(onKeys).toHaveLength(1);
  expect(new Set([onKeys[0]?.Action].flat())).toEqual(new Set(actions));
  expect(new Set(idsIn(template)(onKeys[0]?.Resource))).toEqual(new Set(signing));
});

it.each(deployed)('passes unit $unit the start time of each key', ({ unit }) => {
  const { Variables } = functions.get(functionId(template, 'Units', unit))?.Environment ?? {};

  expect(scheduleIn(Variables?.['KEY_SIGNING'])).toEqual(schedule);
});

it('publishes the key schedule as a stack output', () => {
  expect(scheduleIn(template.Outputs['KeySigning']?.Value)).toEqual(schedule);
});

it.each([
  ['', 'must be an instant such as 2027-02-01T00:00:00Z'],
  ['1970-01-01', 'must be an instant such as 2027-02-01T00:00:00Z'],
  ['1970-01-01T00:00:00Z,soon', 'must be an instant such as 2027-02-01T00:00:00Z'],
  ['2027-02-01T00:00:00.5Z', 'must be a whole second'],
  ['2027-02-01T00:00:00Z,1970-01-01T00:00:00Z', 'must contain each instant once, earliest first'],
  ['1970-01-01T00:00:00Z,1970-01-01T00:00:00.000Z', 'must contain each instant once, earliest first'],
])('rejects the keys %j because the value %s', (signingKeys, message) => {
  const issues = Settings.safeParse({ signingKeys }).error?.issues;

  expect(issues).toMatchObject([{ message }]);
  expect(issues?.[0]?.path[0]).toBe('signingKeys');
});
