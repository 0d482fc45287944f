import { expect, it } from 'vitest';
import * as z from 'zod';
import { stackKinds } from '../../lib/names.ts';
import type { Template } from '../../lib/synthesise.ts';
import { addressIn, idIn, resourcesOf, templateOf, templatesOf } from './stack.ts';

const VARIANTS = [
  { environment: 'production' },
  { environment: 'sandbox' },
  { oidcIssuer: 'https://login.example.org', oidcClientId: 'service' },
] as const;

const Stored = z.object({ Name: z.string() });
const publishedBy = (template: Template): string[] =>
  [...resourcesOf(template, 'AWS::SSM::Parameter', Stored).values()].map(({ Name }) => Name);
const readBy = ({ Parameters }: Template): string[] =>
  Object.entries(Parameters)
    .filter(([id]) => id !== 'BootstrapVersion')
    .map(([, { Default }]) => String(Default));

it.each(VARIANTS)(
  'lets each stack of %j use only values of stacks that are deployed before it',
  (settings) => {
    const templates = templatesOf(settings);
    const available = new Set<string>();
    const read = new Set<string>();

    for (const kind of stackKinds) {
      for (const name of readBy(templates[kind])) {
        expect(available, kind).toContain(name);
        read.add(name);
      }
      for (const name of publishedBy(templates[kind])) available.add(name);
    }

    expect([...available].filter((name) => !read.has(name))).toEqual([]);
  },
);

it.each(VARIANTS)('locks no stack of %j by an export', (settings) => {
  const text = JSON.stringify(templatesOf(settings));

  expect(text).not.toContain('Fn::ImportValue');
  expect(text).not.toContain('"Export"');
});

/** Every text and list of references in a value. */
const partsOf = (value: unknown): unknown[] =>
  typeof value !== 'object' || value === null ? [value] : [value, ...Object.values(value).flatMap(partsOf)];

it.each(VARIANTS)('names in each stack of %j only resources that a stack declares', (settings) => {
  const template = templateOf(settings);
  const addressOf = addressIn(template);
  const idOf = idIn(template);
  const Joined = z.object({ 'Fn::Join': z.tuple([z.literal(''), z.array(z.unknown())]) });
  /** An ARN or URL of a resource in the same account that has a fixed name. */
  const named =
    /^(?:arn:\$\{AWS::Partition\}:(?:dynamodb|sqs|states|lambda|sns|events|logs|iam):|https:\/\/sqs\.).*\$\{AWS::AccountId\}.*inference-attribution/;

  const addresses = new Set(
    Object.values(template.Resources)
      .flatMap(({ Properties }) => partsOf(Properties))
      .filter((part) => Joined.safeParse(part).success)
      .filter((part) => named.test(addressOf(part)))
      .map(addressOf),
  );
  const unknown = [...addresses].filter((address) => idOf(address) === undefined);

  expect(addresses.size).toBeGreaterThan(50);
  // The role of the API may invoke aliases before they exist, and functions after they were removed.
  expect(unknown.filter((address) => !address.endsWith(':live'))).toEqual([]);
});

it('protects the stack of data only, and gives no other stack a resource that holds data', () => {
  const HOLDS_DATA = /^AWS::(?:DynamoDB::Table|S3::Bucket$|SQS::Queue$|KMS::Key|Cognito::UserPool$)/;
  const templates = templatesOf({});

  for (const kind of stackKinds) {
    const holding = Object.values(templates[kind].Resources).filter(({ Type }) => HOLDS_DATA.test(Type));
    if (kind === 'data')
      for (const { DeletionPolicy } of holding) expect(DeletionPolicy).toBe('RetainExceptOnCreate');
    else expect(holding).toEqual([]);
  }
});
