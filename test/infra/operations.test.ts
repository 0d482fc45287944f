import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { CfnResource, TagManager } from 'aws-cdk-lib';
import { expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { addStacks, createApp } from '../../lib/app.ts';
import { stackKinds } from '../../lib/names.ts';
import { HEARTBEAT_SOURCE } from '../../lib/observability/heartbeat.ts';
import { Settings, type SettingsInput } from '../../lib/settings.ts';
import { Template } from '../../lib/synthesise.ts';
import { embeddedLocations } from '../../local/engines/engines.ts';
import { portOf } from '../../local/engines/freePort.ts';
import { isAllowed, type Statement } from '../../local/permissions/policy.ts';
import { resolveTemplate } from '../../local/template/resourcesOfType.ts';
import { readRoles } from '../../local/template/roles.ts';
import { resourcesOf, templateOf, textOf, withBundles } from './stack.ts';

const OPTIONS: SettingsInput = {
  domainName: 'api.example.org',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0d1e',
  edgeDomainName: 'www.example.org',
  edgeCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0d1e',
  alarmEmail: 'team@example.org',
  monthlyBudget: 100,
  backupCopyVault: 'arn:aws:backup:eu-west-1:123456789012:backup-vault:copies',
  permissionsBoundary: 'inference-attribution-boundary',
  producerPrincipals: '123456789012',
};

/** What is synthesised: the text of all templates and lists of files, and the tags of each resource that can have some. */
const assemblyOf = (settings: SettingsInput) =>
  withBundles((folder) => {
    const outdir = join(folder, 'out');
    const app = createApp({ outdir, treeMetadata: false });
    addStacks(app, Settings.parse(settings), join(folder, 'assets'));
    app.synth();
    const textsOf = (end: string) =>
      readdirSync(outdir)
        .filter((name) => name.endsWith(end))
        .map((name) => readFileSync(join(outdir, name), 'utf8'));
    const tags = app.node.findAll().flatMap((construct) => {
      const manager = CfnResource.isCfnResource(construct) ? TagManager.of(construct) : undefined;
      return manager === undefined
        ? []
        : [[construct.node.path, JSON.stringify(manager.renderTags())] as const];
    });
    return { templates: textsOf('.template.json'), fileLists: textsOf('.assets.json'), tags };
  });

const everything = assemblyOf(OPTIONS);
const resources = everything.templates.flatMap((text) =>
  Object.values(Template.parse(JSON.parse(text)).Resources),
);

it('tags every resource that can have tags', () => {
  const untagged = everything.tags.filter(
    ([, tags]) => !/"application".*"deployment".*"inference-attribution-production"/.test(tags ?? ''),
  );

  expect(everything.tags.length).toBeGreaterThan(200);
  expect(untagged).toEqual([]);
});

it('bounds every role, when a boundary is named', () => {
  const roles = resources.filter(({ Type }) => Type === 'AWS::IAM::Role');

  expect(roles.length).toBeGreaterThan(30);
  for (const { Properties } of roles)
    expect(textOf(Properties['PermissionsBoundary'])).toMatch(
      /^arn:.*:policy\/inference-attribution-boundary$/,
    );
});

it('counts the spend of the deployment only against the budget', () => {
  const [budget] = resourcesOf(
    templateOf({ alarmEmail: 'team@example.org', monthlyBudget: 100 }),
    'AWS::Budgets::Budget',
    z.looseObject({ Budget: z.looseObject({ CostFilters: z.unknown() }) }),
  ).values();

  expect(budget?.Budget.CostFilters).toEqual({
    TagKeyValue: ['user:deployment$inference-attribution-production'],
  });
});

const heartbeatTo = async (status: number): Promise<void> => {
  const server = createServer((_, response) => response.writeHead(status).end());
  onTestFinished(() => void server.close());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  vi.stubEnv('READY_URL', `http://127.0.0.1:${portOf(server)}/readyz`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const exported: { handler?: () => Promise<void> } = {};
  new Function('exports', HEARTBEAT_SOURCE)(exported);
  await exported.handler?.();
};

it('fails a heartbeat unless the public address answers 200', async () => {
  await expect(heartbeatTo(200)).resolves.toBeUndefined();
  await expect(heartbeatTo(503)).rejects.toThrow('The service answered 503');
});

it('copies every table that cannot be computed again, and the archive, when a vault is named', () => {
  const Selection = z.object({ BackupSelection: z.object({ Resources: z.array(z.unknown()) }) });
  const copied = (settings: SettingsInput) =>
    [...resourcesOf(templateOf(settings), 'AWS::Backup::BackupSelection', Selection).values()].flatMap(
      ({ BackupSelection }) => BackupSelection.Resources.map(textOf),
    );
  const { backupCopyVault } = OPTIONS;
  const kept = copied({ backupCopyVault });

  expect(copied({})).toEqual([]);
  expect(kept.filter((arn) => arn.includes(':table/inference-attribution-production-ledger'))).toHaveLength(
    1,
  );
  expect(kept.filter((arn) => /-(?:claims|traces)$/.test(arn))).toEqual([]);
  expect(kept.filter((arn) => arn.includes(':s3:::'))).toEqual([expect.stringContaining('BucketsArchive')]);
});

it('needs no bootstrap of the CDK when the operator has a bucket for the code', () => {
  const { templates, fileLists } = assemblyOf({ environment: 'sandbox', assetsBucket: 'my-files' });

  expect(templates).toHaveLength(stackKinds.length);
  expect(fileLists).toHaveLength(stackKinds.length);
  for (const text of [...templates, ...fileLists])
    expect(text).not.toMatch(/cdk-hnb659fds|BootstrapVersion|cdk-bootstrap|assumeRoleArn/);
  expect(templates.join()).toContain('"S3Bucket": "my-files"');
  for (const text of fileLists) expect(text).toContain('"bucketName": "my-files"');
});

const OneOrMany = z.union([z.array(z.string()), z.string().transform((one) => [one])]);
const Policy = z.object({
  Statement: z.array(z.object({ Effect: z.literal('Allow'), Action: OneOrMany, Resource: OneOrMany })),
});
/** What IAM accepts as a policy, without white space. */
const POLICY_CHARACTERS_MAXIMUM = 6_144;

const policyIn = (file: string): Statement[] => {
  const text = readFileSync(file, 'utf8');
  expect(text.replaceAll(/\s/g, '').length).toBeLessThanOrEqual(POLICY_CHARACTERS_MAXIMUM);
  return Policy.parse(JSON.parse(text)).Statement.map(({ Action, Resource }) => ({
    effect: 'Allow',
    actions: Action,
    resources: Resource,
  }));
};

/** The IAM service of each group of resource types. */
const SERVICES: Readonly<Record<string, string>> = {
  ApiGatewayV2: 'apigateway',
  Backup: 'backup',
  Budgets: 'budgets',
  CloudFront: 'cloudfront',
  CloudWatch: 'cloudwatch',
  CodeDeploy: 'codedeploy',
  Cognito: 'cognito-idp',
  DynamoDB: 'dynamodb',
  Events: 'events',
  IAM: 'iam',
  KMS: 'kms',
  Lambda: 'lambda',
  Logs: 'logs',
  S3: 's3',
  SNS: 'sns',
  SQS: 'sqs',
  SSM: 'ssm',
  StepFunctions: 'states',
  WAFv2: 'wafv2',
};
/** AWS Backup keeps backups in a second service. A distribution reads its certificate. */
const WITHOUT_RESOURCES = ['acm', 'backup-storage'];

it('documents a deployment policy with the services of all resource types, and no others', () => {
  const policy = policyIn('docs/guides/deployment-policy.json');
  const allowed = new Set(policy.flatMap(({ actions }) => actions.map((action) => action.split(':', 1)[0])));
  const used = resources.map(({ Type }) => SERVICES[Type.split('::')[1] ?? ''] ?? Type);

  expect([...allowed].sort()).toEqual([...new Set([...used, ...WITHOUT_RESOURCES])].sort());
});

it('documents a permissions boundary that allows what the roles of the deployment allow', () => {
  const boundary = policyIn('docs/guides/permissions-boundary.json');
  const template = templateOf({ environment: 'sandbox', notificationSender: 'a@example.org', tracing: true });
  const resolved = resolveTemplate(
    template,
    embeddedLocations('https://api.example.org', 'https://sqs.example.org'),
  );
  const beyond = readRoles(resolved).flatMap(({ logicalId, statements }) =>
    statements.flatMap(({ actions, resources }) =>
      actions.flatMap((action) =>
        resources
          // CloudFormation begins the names that it chooses with that of the stack.
          .map((resource) => resource.replace(/^(arn:aws:s3:::)/, '$1inference-attribution-'))
          .filter((resource) => !isAllowed(boundary, { action, resource }))
          .map((resource) => `${logicalId} ${action} ${resource}`),
      ),
    ),
  );

  expect(beyond).toEqual([]);
});
