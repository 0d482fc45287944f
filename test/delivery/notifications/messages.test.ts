import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newChannelMessage } from '../../../functions/delivery/notifications/channels/channelMessage.ts';
import { toChatMessage } from '../../../functions/delivery/notifications/channels/chatTransport.ts';
import { composeMail } from '../../../functions/delivery/notifications/channels/mailTransport.ts';
import type { ChannelMessageContext } from '../../../functions/delivery/notifications/channels/sendChannelMessage.ts';
import { plainNames } from '../../../functions/delivery/notifications/text/plainNames.ts';
import type { Notification } from '../../../schemas/delivery/notifications.ts';
import { InvocationEventFields as InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { aTenant } from '../../attribution/engine/events.ts';
import { readMail } from '../../support/mail.ts';

const SENDER = { from: 'notifications@attribution.example', consoleUrl: 'https://api.example.com/console' };
const AT = Date.parse('2026-03-14T09:30:00Z');

const contextOf = (title: string, tenantName = 'Acme'): ChannelMessageContext => {
  const notification: Notification = {
    id: 'ntf_1',
    created_at: '2026-03-14T09:30:00.000Z',
    type: 'budget.threshold.crossed',
    severity: 'warning',
    title,
    text: `${title} and more`,
    link: '/api/v1/budgets/bud_1',
    event_id: 'evt_1',
    residency: null,
  };
  const notifications = {
    email: ['a@example.org', 'b@example.org'],
    chat: null,
    minimum_severity: 'warning' as const,
    authorized_by: null,
  };
  return {
    tenant: aTenant({ name: tenantName, notifications }),
    notifications: [notification],
    message: newChannelMessage({ id: '01KA', channel: 'email', named: ['01KA'], count: 1 }, AT),
  };
};

/** Text that attempts an injection: line ends, headers, encoded words, other scripts. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\r\n',
        '\n',
        '\r',
        '\r\n\r\n',
        'Bcc: x@evil.example',
        '=?utf-8?Q?=0D=0ABcc:_x?=',
        ' ',
        '<!channel>',
        '&',
      ),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(''));

const TO = 'a@example.org';

it('composes mail to one address and without injected headers, for any name', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (title, tenantName) => {
      const { raw, to } = await composeMail(contextOf(title, tenantName), TO, SENDER);
      const { headers } = readMail(raw);

      expect(to).toBe(TO);
      expect(Object.keys(headers).sort()).toEqual([
        'auto-submitted',
        'content-transfer-encoding',
        'content-type',
        'date',
        'from',
        'message-id',
        'mime-version',
        'subject',
        'to',
      ]);
      expect(headers['to']).toBe(TO);
    }),
  );
});

it('says that the tenant of a message is a sandbox', async () => {
  const context = contextOf('Budget reached 100 %', 'Playground');
  const sandbox = { ...context, tenant: { ...context.tenant, sandbox: true as const } };

  expect(readMail((await composeMail(sandbox, TO, SENDER)).raw).text).toContain(
    'Tenant: Playground (sandbox)',
  );
  expect(new TextDecoder().decode(toChatMessage(sandbox, SENDER.consoleUrl).body)).toContain(
    'Tenant: Playground (sandbox)',
  );
});

it('encodes subject, text and link of the mail in any script', async () => {
  const { raw } = await composeMail(contextOf('Budget "Zoë’s 検索 🌱" reached 100 %'), TO, SENDER);
  const { headers, text } = readMail(raw);

  expect(headers).toMatchObject({
    subject: '[warning] Budget "Zoë’s 検索 🌱" reached 100 %',
    from: 'Inference Attribution <notifications@attribution.example>',
    date: 'Sat, 14 Mar 2026 09:30:00 +0000',
    'message-id': '<01KA.abcdefgh@attribution.example>',
    'auto-submitted': 'auto-generated',
  });
  expect(text).toContain(
    'Budget "Zoë’s 検索 🌱" reached 100 % and more\nhttps://api.example.com/console/budgets#bud_1',
  );
});

it('composes the same bytes for the same message', async () => {
  const [one, other] = [
    await composeMail(contextOf('Again'), TO, SENDER),
    await composeMail(contextOf('Again'), TO, SENDER),
  ];

  expect(Buffer.from(one.raw).equals(other.raw)).toBe(true);
});

/** What a mail program or a chat (Slack, Teams, Mattermost, Google Chat) makes of text that names a service. */
const ACTIVE: readonly (readonly [string, RegExp, string])[] = [
  ['a URL', /https?:\/\/(?!api\.example\.com\/console)/i, 'Sign in again: https://evil.example/console'],
  ['a URL in capitals', /HTTPS?:\/\//, 'HTTP://EVIL.EXAMPLE'],
  ['a URL of another scheme', /slack:\/\//, 'slack://channel?team=T1'],
  ['a host name', /evil\.example/, 'www.evil.example/login'],
  ['a host name in another script', /пример\.рф/, 'пример.рф'],
  ['a link in Markdown', /\]\(/, '[Acknowledge](https://evil.example)'],
  ['an image in Markdown', /!\[[^\]]*\]\(/, '![pixel](https://evil.example/p.png)'],
  ['a link of Slack', /<https/, '<https://evil.example|Acknowledge>'],
  ['a link of a host name with a digit', /login365\.com/, 'login365.com/key'],
  ['a link of a part of a host name', /b1\.com/, 'a.b1.com'],
  ['a link of a host name with a hyphen', /a-\.io/, 'a-.io'],
  ['a link with another dot', /evil[。．｡]com/, 'evil。com evil．com evil｡com'],
  ['a mention within a word', /@everyone/, 'x@everyone'],
  ['a mention of a channel', /<!channel>/, '<!channel>'],
  ['a mention of Slack', /<@U/, '<@U024BE7LH>'],
  ['a mention of Mattermost', /(?:^|[\s"])@(?:channel|all|here)/m, 'checkout @channel @all'],
  ['a mention of Google Chat', /<users\/all>/, '<users/all>'],
  ['a tag', /<(?:at|a|img|b)[ >]/, '<at>all</at><a href="x">y</a><img src=x>'],
  ['a line', /^\[critical\]/m, 'x\n[critical] Rotate your key'],
  ['a line separator', /\u2028/, 'x\u2028[critical] Rotate your key'],
];

it.each(ACTIVE)('makes no %s of a name, in mail and chat', async (_, active, name) => {
  for (const context of [contextOf(`Service "${name}"`), contextOf('Budget reached 100 %', name)]) {
    const mail = readMail((await composeMail(context, TO, SENDER)).raw);
    const { text } = JSON.parse(Buffer.from(toChatMessage(context, SENDER.consoleUrl).body).toString());

    // A mail is text, in which a tag is none.
    if (!active.source.startsWith('<'))
      expect(`${mail.headers['subject']}\n${mail.text}`).not.toMatch(active);
    expect(text).not.toMatch(active);
    expect(text).toContain('https://api.example.com/console/budgets#bud_1');
  }
});

it('keeps the order of what surrounds a name from right to left', () => {
  expect(plainNames('Service "שירות" cost USD 12.00')).toBe('Service "\u2068שירות\u2069" cost USD 12.00');
});

it('changes a name in no way that a filter sees', () => {
  const label = InvocationEvent.shape.attributed_service;
  for (const [, , name] of ACTIVE) {
    const shown = plainNames(name);
    expect(label.parse(shown)).toBe(label.parse(name.replace(/[\n\u2028]/, ' ')));
  }
});

it('escapes links and mentions in chat text', () => {
  fc.assert(
    fc.property(hostile, (title) => {
      const { text } = JSON.parse(
        Buffer.from(toChatMessage(contextOf(title), SENDER.consoleUrl).body).toString(),
      );

      expect(text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
    }),
  );
});
