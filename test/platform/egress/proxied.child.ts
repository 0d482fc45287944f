import { argv } from 'node:process';
import { egress } from '../../../functions/platform/egress/egress.ts';

const [, , host = '', port = '', ca = ''] = argv;

const out = egress({
  policy: { ports: [], allowHosts: [`${host}:${port}`] },
  resolver: async () => ['127.0.0.1'],
  now: () => 0,
  ca,
});
const { kind } = await out.post(`https://${host}:${port}/`, { headers: {}, body: new Uint8Array() });
process.stdout.write(kind);
