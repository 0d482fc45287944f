import { Client as McpClient, type Transport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../sdk/typescript/src/index.ts';
import { messagesOf } from '../../tools/mcp/lines.ts';
import { createMcpServer, type McpServer } from '../../tools/mcp/server.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

type Reply = Record<string, unknown> & { readonly result?: Record<string, unknown> };

const ask = async (server: McpServer, method: string, params: object = {}): Promise<Reply> =>
  JSON.parse((await server(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }))) ?? 'null');

const callTool = async (server: McpServer, name: string, given: object = {}) => {
  const { result } = await ask(server, 'tools/call', { name, arguments: given });
  const [content] = Array.isArray(result?.['content']) ? result['content'] : [];
  return { isError: result?.['isError'], text: String(content?.text) };
};

/** Joins the official client with a server in this process. */
const transportOf = (server: McpServer): Transport => {
  const transport: Transport = {
    start: async () => undefined,
    send: async (message) => {
      const reply = await server(JSON.stringify(message));
      if (reply !== null) transport.onmessage?.(JSON.parse(reply));
    },
    close: async () => transport.onclose?.(),
  };
  return transport;
};

/** A server whose requests get this answer. */
const serverWith = (answer: (url: URL, signal: AbortSignal) => Response | Promise<Response>) => {
  const urls: string[] = [];
  const client = createClient({
    baseUrl: 'https://api.example.com',
    credential: { apiKey: 'key' },
    retries: 0,
    fetch: async (url, init) => {
      const { pathname, search } = new URL(String(url));
      urls.push(`${init?.method} ${pathname}${decodeURIComponent(search)}`);
      return answer(new URL(String(url)), init?.signal ?? AbortSignal.abort());
    },
  });
  return { server: createMcpServer(client, '1.2.3'), urls };
};
const empty = () => Response.json({});

describe('the MCP server', () => {
  it.each([
    ['2025-06-18', '2025-06-18'],
    ['1999-01-01', '2025-11-25'],
  ])('answers a client of version %s with %s', async (protocolVersion, expected) => {
    const { result } = await ask(serverWith(empty).server, 'initialize', { protocolVersion });

    expect(result).toMatchObject({
      protocolVersion: expected,
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'inference-attribution', version: '1.2.3' },
    });
  });

  it('lists ten read-only tools whose arguments model providers accept', async () => {
    const { result } = await ask(serverWith(empty).server, 'tools/list');
    const tools = Array.isArray(result?.['tools']) ? result['tools'] : [];

    expect(tools.map(({ name }) => name)).toEqual([
      'get_caller',
      'get_usage_report',
      'get_changes_report',
      'get_unowned_report',
      'list_attribution',
      'get_attribution',
      'look_up_attribution',
      'list_budgets',
      'list_anomalies',
      'get_coverage',
    ]);
    for (const { annotations, inputSchema, description } of tools) {
      expect(annotations.readOnlyHint).toBe(true);
      expect(description.length).toBeGreaterThan(20);
      expect(
        Object.keys(inputSchema.properties).filter((name) => !/^[a-zA-Z0-9_]{1,64}$/.test(name)),
      ).toEqual([]);
    }
    expect(JSON.stringify(tools)).not.toContain('$ref');
    // Each conversation of an agent carries the definitions.
    expect(JSON.stringify(tools).length).toBeLessThan(24_000);
  });

  it('sends arguments as the parameters of the route', async () => {
    const { server, urls } = serverWith(empty);
    await callTool(server, 'list_attribution', {
      limit: 5,
      cost_usd_gte: '0.5',
      provider_in: ['openai', 'anthropic'],
    });

    expect(urls).toEqual([
      'GET /v1/attribution?limit=5&cost_usd[gte]=0.5&provider[in]=openai&provider[in]=anthropic',
    ]);
  });

  it.each([
    ['list_attribution', { colour: 'red' }, 'does not know the argument colour'],
    ['list_attribution', { ownr: 'a' }, 'Did you mean owner?'],
    ['get_attribution', { idd: 'a' }, 'Did you mean id?'],
    ['list_attribution', { owner: { name: 'a' } }, 'must be a text'],
    ['get_attribution', {}, 'id is missing'],
  ])('%s refuses the arguments %j without a request', async (name, given, reason) => {
    const { server, urls } = serverWith(empty);

    const { isError, text } = await callTool(server, name, given);
    expect(isError).toBe(true);
    expect(text).toContain(reason);
    expect(urls).toEqual([]);
  });

  it('sends a list for an argument of one value as it was given, so that the service refuses it', async () => {
    const { server, urls } = serverWith(empty);
    await callTool(server, 'get_usage_report', { provider: ['openai', 'anthropic'], owner_in: [] });

    expect(urls).toEqual(['GET /v1/reports/usage?provider=openai&provider=anthropic&owner[in]=']);
  });

  it.each([
    ['a problem', () => Response.json({ error_code: 'INVALID_FILTER' }, { status: 400 }), 'INVALID_FILTER'],
    ['a result that is too long', () => Response.json({ data: 'x'.repeat(100_001) }), 'Ask for less'],
  ])('returns %s as a result that the model sees', async (_, answer, expected) => {
    const { isError, text } = await callTool(serverWith(answer).server, 'get_coverage');

    expect(isError).toBe(true);
    expect(text).toContain(expected);
  });

  it.each([
    ['text that is not JSON', 'hello', -32_700],
    ['a batch', '[]', -32_600],
    ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"prompts/list"}', -32_601],
    [
      'an unknown tool',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_budget"}}',
      -32_602,
    ],
    ['a call without a name', '{"jsonrpc":"2.0","id":1,"method":"tools/call"}', -32_602],
  ])('answers %s with a protocol error', async (_, text, code) => {
    expect(JSON.parse((await serverWith(empty).server(text)) ?? '')).toMatchObject({ error: { code } });
  });

  it.each([
    ['tools/call', { name: 'get_usage_report', argumnts: { owner: 'a' } }, 'Did you mean arguments?'],
    ['tools/call', { nam: 'get_coverage' }, 'Did you mean name?'],
    ['tools/lst', {}, 'Did you mean tools/list?'],
    ['resources/read', { ur: 'inference-attribution://guides/reports' }, 'Did you mean uri?'],
    [
      'resources/read',
      { uri: 'inference-attribution://guides/report' },
      'Did you mean inference-attribution://guides/reports?',
    ],
  ])('answers %s with %j, a misspelt name, by the one that was meant', async (method, params, words) => {
    const { server, urls } = serverWith(empty);

    expect(await ask(server, method, params)).toMatchObject({
      error: { message: expect.stringContaining(words) },
    });
    expect(urls).toEqual([]);
  });

  it('ignores a parameter that a later version of the protocol has', async () => {
    const { server } = serverWith(empty);
    const params = { name: 'get_coverage', arguments: {}, task: { ttl: 1 } };

    expect(await ask(server, 'tools/call', params)).toHaveProperty('result');
  });

  it('answers no notification', async () => {
    const { server } = serverWith(empty);

    expect(await server('{"jsonrpc":"2.0","method":"notifications/initialized"}')).toBeNull();
  });
});

describe('messages of other forms', () => {
  const call = (change: object = {}) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_coverage', arguments: {} },
    ...change,
  });
  const reply = async (server: McpServer, message: unknown) =>
    JSON.parse((await server(JSON.stringify(message))) ?? 'null');

  it.each([
    ['arguments', call({ params: { name: 'get_coverage', arguments: null } })],
    ['params', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: null }],
  ])('null %s are no arguments', async (_, message) => {
    expect(await reply(serverWith(empty).server, message)).toHaveProperty('result');
  });

  it('answers a batch in the one version that has batches, and refuses it in all others', async () => {
    const { server } = serverWith(empty);
    const batch = [call(), { jsonrpc: '2.0', method: 'notifications/initialized' }, call({ id: 2 })];
    expect(await reply(server, batch)).toMatchObject({ error: { code: -32_600 } });

    await ask(server, 'initialize', { protocolVersion: '2025-03-26' });
    expect(await reply(server, batch)).toMatchObject([{ id: 1 }, { id: 2 }]);
    expect(await reply(server, [])).toMatchObject({ error: { code: -32_600 } });
  });

  it('names the known versions to a client that asks for another one', async () => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const { error } = await reply(serverWith(empty).server, call({ params: { _meta } }));

    expect(error).toMatchObject({ code: -32_022, data: { requested: '2099-01-01' } });
    expect(error.data.supported).toContain('2026-07-28');
  });

  it('splits a stream at line feeds only, wherever its parts end', async () => {
    const texts = ['{"a":"\u2028é\u0085🙂\r"}', '{"b":1}'];
    const bytes = new TextEncoder().encode(`${texts.join('\n\n')}`);
    const parts = async function* () {
      for (const byte of bytes) yield Uint8Array.of(byte);
    };

    const messages: string[] = [];
    for await (const message of messagesOf(parts())) messages.push(message);
    expect(messages).toEqual(texts);
  });
});

describe('the MCP server over a running service', () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await sharedInstance();
  });
  afterAll(() => instance.stop());

  const serverOf = (apiKey: string) =>
    createMcpServer(createClient({ baseUrl: instance.baseUrl, credential: { apiKey } }), '1.2.3');

  // The client compares each result with the output schema of its tool.
  it.each([
    ['2026-07-28', { pin: '2026-07-28' }],
    ['2025-11-25', 'legacy'],
  ] as const)(
    'answers every tool, and guides, to the official client of version %s',
    async (version, mode) => {
      const server = serverOf(demoTenants(instance.credentials).acme.api_keys.admin);
      const client = new McpClient({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
      await client.connect(transportOf(server));
      const { tools } = await client.listTools();

      for (const { name } of tools.filter(({ inputSchema }) => inputSchema.required?.length === 0)) {
        const { isError, structuredContent } = await client.callTool({ name, arguments: {} });
        expect([name, isError, typeof structuredContent]).toEqual([name, false, 'object']);
      }
      const { resources } = await client.listResources();
      const guide = resources.find(({ name }) => name === 'reports');
      const { contents } = await client.readResource({ uri: guide?.uri ?? '' });
      expect(guide?.title).toBe('Reports: who spent what');
      expect(contents).toMatchObject([
        { mimeType: 'text/markdown', text: expect.stringContaining('# Reports') },
      ]);
      await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow('Unknown resource');
      expect(client.getNegotiatedProtocolVersion()).toBe(version);
      await client.close();
    },
  );

  it.each([
    ['a period of no length', { from: '2026-11-25', to: '2026-11-25' }, '2026-11-26'],
    ['two providers for one', { provider: ['openai', 'anthropic'] }, 'repeated'],
    ['an empty list', { provider_in: [] }, 'INVALID_FILTER'],
  ])('never answers %s with zero', async (_, given, reason) => {
    const server = serverOf(demoTenants(instance.credentials).acme.api_keys.admin);
    const { isError, text } = await callTool(server, 'get_usage_report', given);

    expect(isError).toBe(true);
    expect(text).toContain(reason);
  });

  it('has no more rights than its credential', async () => {
    const server = serverOf(demoTenants(instance.credentials).acme.api_keys.ingest);

    const { isError, text } = await callTool(server, 'get_usage_report');
    expect(isError).toBe(true);
    expect(text).toContain('INSUFFICIENT_SCOPE');
  });
});
