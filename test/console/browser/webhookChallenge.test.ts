import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { openConsole, signIn } from '../../support/consoleBrowser.ts';
import { startInstance } from '../../support/instance.ts';
import { demoTenants, deploymentOf, UNLIMITED } from '../../support/localService.ts';
import { smallTargets, TARGET_MINIMUM, useTouch } from '../../support/targets.ts';
import { SILENT_RECEIVER } from '../../support/webhooks.ts';

const instance = await startInstance({ environment: { ...UNLIMITED, WEBHOOK_ALLOW_HOSTS: SILENT_RECEIVER } });
afterAll(() => instance.stop());

const tenant = () => demoTenants(instance.credentials).acme;

/** The open challenge of an endpoint. The receiver has it in its log. */
const challengeOf = async (id: string): Promise<string> => {
  const deployment = await deploymentOf(instance);
  // Imported late, because the AWS clients read their endpoints at import.
  const { derivedKey } = await import('../../../functions/platform/shared/aws/derivedKey.aws.ts');
  const { endpointReader } = await import('../../../functions/delivery/webhooks/endpoints/endpoint.store.ts');
  const { unsealChallenge } = await import('../../../functions/delivery/webhooks/endpoints/seal.ts');
  const endpoint = await endpointReader(deployment.output('TableWebhooks')).endpoint(tenant().tenant_id, id);
  const key = await derivedKey(deployment.output('KeyEndpoint'), 'webhook endpoint 1')();
  return (endpoint && unsealChallenge(endpoint, key)) ?? '';
};

// About 6 s on a free machine: an instance that allows a receiver on this machine.
it('confirms an endpoint by hand with the challenge from its log, and with no other text', async () => {
  const page: Page = await openConsole(instance, '/webhooks');
  await signIn(page, tenant());
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await button('Add an endpoint').click();
  await page.getByLabel('URL').fill(`https://${SILENT_RECEIVER}/hooks`);
  await page.getByLabel('budget.threshold.crossed').check();
  await button('Add').click();
  await button('Done').click();
  await page.getByRole('link', { name: new RegExp(SILENT_RECEIVER) }).click();
  await page.getByText('Not verified yet.').waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';

  await button('Verify').click();
  await page.getByLabel('Challenge').fill('whc_guessed');
  await page.getByRole('dialog').getByRole('button', { name: 'Verify' }).click();
  const refusal = page.getByRole('dialog').getByRole('alert');
  await refusal.waitFor();
  await page.getByLabel('Challenge').fill(await challengeOf(id));
  await page.getByRole('dialog').getByRole('button', { name: 'Verify' }).click();

  await page.getByText('The endpoint is verified.').waitFor();
  await button('Done').click();
  await button('Send a sample').waitFor();
  expect(await page.getByText('Not verified yet.').count()).toBe(0);
  await page.setViewportSize({ width: 390, height: 900 });
  await useTouch(page);
  expect(await smallTargets(page, TARGET_MINIMUM.touch)).toEqual([]);
  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
  await page.getByRole('link', { name: new RegExp(SILENT_RECEIVER) }).waitFor();
  expect(await smallTargets(page, TARGET_MINIMUM.touch)).toEqual([]);
});
