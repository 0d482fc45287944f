import { describe, expect, it } from 'vitest';
import { readCalls } from '../../../tools/evaluation/calls.ts';
import { HEADER } from './traces.ts';

describe('readCalls', () => {
  it('reads the caller as ground truth and leaves it out of the observation', () => {
    const [call] = readCalls(`${HEADER}\n1.5,language,m-small,12,39,1\n`);

    expect(call?.truth).toBe('m-small\u000012');
    expect(call?.observation).toEqual({
      occurredAt: 1_500,
      provider: 'trace',
      requested_model: 'm-small',
      operation: 'language',
      ingestion_layer: 'replay',
      input_tokens: 39,
      output_tokens: 1,
    });
  });

  it('sorts calls by time and accepts columns in any order', () => {
    const calls = readCalls(
      'model,t_s,output_tokens,category,client_id,input_tokens\r\nm,9,1,c,a,1\r\nm,3,1,c,b,1\r\n',
    );

    expect(calls.map(({ truth }) => truth)).toEqual(['m\u0000b', 'm\u0000a']);
  });

  it('counts an output token as four input tokens without costs, and reads costs where there are any', () => {
    const [counted] = readCalls(`${HEADER}\n1.5,language,m-small,12,39,1\n`);
    const [stated] = readCalls(`${HEADER},cost_usd\n1.5,language,m-small,12,39,1,0.25\n`);

    expect(counted?.cost).toBe(43);
    expect(stated?.cost).toBe(0.25);
  });

  it.each([
    ['', 'The file is empty.'],
    ['t_s,model,client_id,input_tokens\n1,m,2,3', 'The CSV header is missing category, output_tokens.'],
    [`${HEADER}\n`, 'The file has a header but no rows.'],
    [`${HEADER}\n1,c,m,1,2,3\nx,c,m,1,2,3`, 'Line 3: invalid value of t_s.'],
    [`${HEADER}\n1,c,m,1,-2,3.5`, 'Line 2: invalid value of input_tokens, output_tokens.'],
    [`${HEADER}\n1,c,m,1,2`, 'Line 2: invalid value of output_tokens.'],
    [`${HEADER}\n1,c,,1,2,3`, 'Line 2: invalid value of model.'],
    [`${HEADER}\n1,"c,m,1,2,3`, /^The file is not valid CSV: /],
  ])('throws for %j and names the problem', (text, message) => {
    expect(() => readCalls(text)).toThrow(message);
  });
});
