import { afterAll, expect, it } from 'vitest';
import * as z from 'zod';
import { call } from '../support/client.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

const instance = await sharedInstance();
afterAll(() => instance.stop());

it('the reference loads only files of the service, with a policy that allows no inline code', async () => {
  const page = await call(instance.baseUrl, '/docs');
  const links = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link);
  const policy = page.headers.get('content-security-policy') ?? '';

  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(links.filter((link) => /^(?:https?:)?\/\//.test(link))).toEqual([]);
  expect(page.text).not.toMatch(/<script(?! src)|<style|\son\w+=|\sstyle=/);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  for (const language of ['curl', 'TypeScript', 'Python']) {
    expect(page.text).toContain(`<summary>${language}</summary>`);
  }
  expect(page.text).toContain(`curl -sS ${instance.baseUrl}/api/v1/invocations`);
});

it('serves its scripts and styles compressed, as UTF-8 and for a year', async () => {
  const { text } = await call(instance.baseUrl, '/docs');
  const names = [...text.matchAll(/="(docs\/[^"]+)"/g)].map(([, name = '']) => name);
  const answers = await Promise.all(names.map((name) => fetch(`${instance.baseUrl}/${name}`)));
  const plain = await fetch(`${instance.baseUrl}/${names[0]}`, {
    headers: { 'accept-encoding': 'identity' },
  });

  expect(names).toHaveLength(4);
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('content-type')).toMatch(/^text\/(?:css|javascript); charset=utf-8$/);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  }
  expect(await plain.text()).toBe(await answers[0]?.text());
  expect((await call(instance.baseUrl, '/docs/swagger-ui-0.js')).status).toBe(404);
});

it('publishes the changes of the API since its releases, with the version that each needs', async () => {
  const { body, headers } = await call(instance.baseUrl, '/changelog.json');
  const { releases, unreleased } = z
    .object({
      releases: z.array(z.object({ version: z.string(), changes: z.array(z.unknown()) })).min(1),
      unreleased: z.array(z.object({ bump: z.string(), operation: z.string(), change: z.string() })),
    })
    .parse(body);

  expect(releases.at(-1)).toMatchObject({ version: '1.0.0', changes: [] });
  expect(unreleased.filter(({ bump }) => bump === 'major')).toEqual([]);
  expect(headers.get('etag')).toMatch(/^W\//);
});
