import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { freePort } from '../../local/engines/freePort.ts';
import { Browser } from '../local/engines/browser.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { completeSignIn } from '../support/signIn.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';
import { codeBlocksOf, textOf } from './pages.ts';

const DOCUMENTED = { service: 'http://127.0.0.1:3000', receiver: '8443' };

let instance: Instance;
let port: number;
/** A folder that looks to the commands like a checkout. */
let checkout: string;
const running: ChildProcess[] = [];

/** Runs commands of a guide, also those that end only by a signal. */
const start = (commands: string) => {
  const script = commands
    .replaceAll(DOCUMENTED.service, instance?.baseUrl ?? '')
    .replaceAll(DOCUMENTED.receiver, String(port));
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: checkout,
    env: { ...process.env, PORT: String(port), BASE_URL: instance?.baseUrl ?? '' },
    // A group of its own, which a signal ends as a whole.
    detached: true,
  });
  running.push(child);
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output.text += String(chunk);
    });
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  return { output, ended };
};
const stopAll = () => {
  for (const { pid, exitCode } of running.splice(0))
    if (pid !== undefined && exitCode === null) process.kill(-pid);
};
const finish = async (commands: string): Promise<string> => {
  const { output, ended } = start(commands);
  expect(await ended, output.text).toBe(0);
  return output.text;
};
const commandsOf = (page: string) => codeBlocksOf(textOf(page)).map(({ code }) => code);
const commandWith = (page: string, words: string): string =>
  commandsOf(page).find((code) => code.includes(words)) ?? '';
const WEBHOOKS = 'docs/guides/webhooks.md';
const SIGN_IN = 'docs/guides/sign-in.md';

beforeAll(async () => {
  checkout = temporaryDirectory();
  port = await freePort();
  for (const entry of ['examples', 'functions', 'node_modules', 'package.json', 'schemas', 'sdk'])
    symlinkSync(resolve(entry), join(checkout, entry));
  mkdirSync(join(checkout, '.local'));
  await finish(commandWith(WEBHOOKS, 'openssl'));
  instance = await startInstance({
    environment: {
      WEBHOOK_ALLOW_HOSTS: `localhost:${port}`,
      // The receiver starts after the first challenge, which is then repeated soon.
      WEBHOOK_RETRY_SCALE: '0.02',
      WEBHOOK_CA: readFileSync(join(checkout, '.local/webhook/cert.pem'), 'utf8'),
    },
  });
  symlinkSync(join(instance.dataDir, 'credentials.json'), join(checkout, '.local/credentials.json'));
});
afterAll(() => instance?.stop());
beforeEach(() => stopAll);

it('the receiver of webhooks is verified, and prints the sample event, alone and in a batch, as the guide says', async () => {
  const register = commandWith(WEBHOOKS, '/api/v1/webhooks \\');
  await finish(register);
  const receiver = start(commandWith(WEBHOOKS, 'webhookReceiver.ts'));
  const key = register.split('\n', 2).join('\n');

  const words = ['"status":"verified"', '/test"', 'max_batch_size', '/test"'];
  const rest = words.map((word) => commandWith(WEBHOOKS, word)).join('\n');
  const output = await finish(`${key}\n${rest}`);

  expect(output).toContain('"status":"verified"');
  await expect.poll(() => receiver.output.text.match(/export\.completed/g)).toHaveLength(2);
  expect(output).toContain('"request_id"');
  expect(receiver.output.text).toContain('webhook.verification');
  expect(output).toContain('"event_type":"export.completed"');
});

it('the application signs a user in and reads a record, as the guide says', async () => {
  const [key] = commandsOf(SIGN_IN);
  await finish(`${key}\n${commandWith(SIGN_IN, '"redirect_uris"')}`);
  expect(existsSync(join(checkout, '.local/client.json'))).toBe(true);
  const application = start(commandWith(SIGN_IN, 'examples/signIn.ts'));
  const address = /http:\S+authorize\S+/;
  await expect.poll(() => application.output.text).toMatch(address);

  const { user } = demoTenants(instance.credentials).acme;
  const browser = new Browser();
  const url = new URL(address.exec(application.output.text)?.[0] ?? '');
  await completeSignIn(browser, url, user);

  expect(await application.ended, application.output.text).toBe(0);
  expect(application.output.text).toContain('Signed in with the scopes: read:attribution read:reporting');
});
