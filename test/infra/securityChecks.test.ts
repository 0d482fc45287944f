import { join } from 'node:path';
import { type App, Stack, Validations } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { addStacks, createApp } from '../../lib/app.ts';
import { Settings, type SettingsInput } from '../../lib/settings.ts';
import { withBundles } from './stack.ts';

beforeAll(() => {
  vi.stubEnv('CDK_VALIDATION', 'true');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

const DOMAIN = {
  domainName: 'api.example.org',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0d1e',
};
const MAIL = { notificationSender: 'alerts@example.org', senderIdentity: 'example.org' };

/** Settings that declare other resources than the default. */
const variants: Readonly<Record<string, SettingsInput>> = {
  production: { environment: 'production' },
  sandbox: { environment: 'sandbox' },
  'production without protection and canary': { protection: false, gradualDeployment: false },
  'every option of one stack': {
    ...DOMAIN,
    ...MAIL,
    tracing: true,
    alarmEmail: 'team@example.org',
    pageEmail: 'oncall@example.org',
    monthlyBudget: 100,
    warmWrites: 10_000,
    backupCopyVault: 'arn:aws:backup:eu-west-1:123456789012:backup-vault:copies',
    permissionsBoundary: 'inference-attribution-boundary',
    producerPrincipals: '123456789012',
    corsOrigins: 'https://app.example.org',
  },
  'CloudFront with WAF': {
    ...DOMAIN,
    edgeDomainName: 'www.example.org',
    edgeCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0d1e',
  },
  'an identity provider of the customer': {
    oidcIssuer: 'https://login.example.org',
    oidcClientId: 'service',
  },
};

/** Throws with the findings of cdk-nag that no construct acknowledges. */
const check = (settings: SettingsInput, addMore: (app: App) => void = () => {}): void =>
  withBundles((folder) => {
    const app = createApp({ outdir: join(folder, 'out'), treeMetadata: false });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    addStacks(app, Settings.parse(settings), join(folder, 'assets'));
    addMore(app);
    app.synth();
  });

// About 2 s each.
it.each(Object.entries(variants))('finds nothing in the stack of %s', (_, settings) => {
  expect(() => check(settings)).not.toThrow();
});

it('finds a bucket without access logs', () => {
  const addBucket = (app: App) => new Bucket(new Stack(app, 'Other'), 'Open');

  expect(() => check({ environment: 'sandbox' }, addBucket)).toThrow('AwsSolutions-S1');
});
