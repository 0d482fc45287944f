import { expect, it } from 'vitest';
import * as z from 'zod';
import { resourcesOf, Text, templateOf, templatesOf } from './stack.ts';

const Schema = z.object({
  KeySchema: z.array(z.object({ AttributeName: z.string(), KeyType: z.string() })),
  LocalSecondaryIndexes: z.unknown().optional(),
  GlobalSecondaryIndexes: z.unknown().optional(),
  StreamSpecification: z.unknown().optional(),
});

/**
 * CloudFormation replaces a table, with an empty one, when its logical id, keys or local indexes change. Renew the snapshot
 * (`npx vitest run test/infra/tableSchemas.test.ts -u`) only with a plan for the records of deployed stacks.
 */
it('keeps logical id, keys, indexes and stream of every table', () => {
  const tables = resourcesOf(templateOf({}), 'AWS::DynamoDB::Table', Schema);

  expect(Object.fromEntries(tables)).toMatchSnapshot();
});

it.each(['AWS::KMS::Key', 'AWS::SQS::Queue', 'AWS::S3::Bucket', 'AWS::Cognito::UserPool'])(
  'keeps the logical ids of every %s',
  (type) => {
    expect([...resourcesOf(templateOf({}), type, z.unknown()).keys()].sort()).toMatchSnapshot();
  },
);

it('keeps the name of the role that imports bills, which the trust policies of customers name', () => {
  const { data } = templatesOf({});
  const names = [...resourcesOf(data, 'AWS::IAM::Role', z.object({ RoleName: Text.optional() })).values()];

  expect(names.map(({ RoleName }) => RoleName)).toContain(
    `inference-attribution-production-bill-importer-\${AWS::Region}`,
  );
});
