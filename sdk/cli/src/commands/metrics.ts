import { readFile } from 'node:fs/promises';
import { numbersOfCsv } from '../../../shared/metricCsv.ts';
import {
  type BusinessMetricRequest,
  deleteBusinessMetric,
  getMetricCosts,
  type MetricCost,
  type MetricCosts,
  postBusinessMetric,
} from '../../../typescript/src/index.ts';
import type { Command } from '../command.ts';
import { UsageError } from '../faults.ts';
import type { Column } from '../table.ts';
import { writeJson, writeLine } from '../terminal.ts';
import { shown } from '../text.ts';
import { pageOptions, pageQuery, printCollection } from './lists.ts';

const scopeOf = ({ owner, service }: MetricCost): string => {
  const parts = [owner === null ? [] : `owner=${owner}`, service === null ? [] : `service=${service}`].flat();
  return parts.length === 0 ? 'all calls' : parts.join(' ');
};

const columns: readonly Column<MetricCost>[] = [
  { title: 'METRIC', value: ({ name }) => name },
  { title: 'COST OF', value: scopeOf },
  { title: 'UNITS', value: ({ units }) => units, isAmount: true },
  { title: 'DAYS', value: ({ days }) => days, isAmount: true },
  { title: 'WITHOUT NUMBER', value: ({ days_without_number }) => days_without_number, isAmount: true },
  {
    title: 'COST USD',
    value: ({ cost_usd }) => cost_usd,
    remark: ({ unpriced_invocations: unknown }) => (unknown > 0 ? ` + ${unknown} unknown` : ''),
    isAmount: true,
  },
  { title: 'USD PER UNIT', value: ({ cost_per_unit_usd }) => cost_per_unit_usd, isAmount: true },
  { title: 'ID', value: ({ metric_id }) => metric_id },
];

export const metrics: Command = {
  name: 'metrics',
  summary: 'Show what a unit of each business metric costs',
  options: {
    name: { placeholder: 'NAME', help: 'Only metrics of this name' },
    from: { placeholder: 'DATE', help: 'Inclusive. Default: 30 days before today' },
    to: { placeholder: 'DATE', help: 'Exclusive. Default, and at the latest: today' },
    interval: { placeholder: 'UNIT', help: 'A row for each', values: ['day', 'month'] },
    ...pageOptions,
  },
  run: async (call) => {
    const { terminal, option } = call;
    const query: object = {
      name: option('name'),
      from: option('from'),
      to: option('to'),
      interval: option('interval'),
      ...pageQuery(call),
    };
    await printCollection<MetricCost, MetricCosts>(
      call,
      getMetricCosts(call.client(), query, { signal: terminal.signal }),
      ({ data }) =>
        data.some(({ interval_start }) => interval_start !== undefined)
          ? [{ title: 'START', value: ({ interval_start }) => interval_start }, ...columns]
          : columns,
      'There is no business metric. `metrics send` sends the numbers of one.',
    );
  },
};

const readNumbers = async (path: string): Promise<BusinessMetricRequest['numbers']> => {
  const { numbers, fault } = numbersOfCsv(await readFile(path, 'utf8'));
  if (fault !== null) throw new UsageError(`${path}: ${fault}`);
  return numbers;
};

export const metricsSend: Command = {
  name: 'metrics send',
  summary: 'Send the daily numbers of a business metric',
  argument: { placeholder: 'NAME' },
  options: {
    file: { placeholder: 'FILE', help: 'CSV with the columns date and value' },
    number: {
      placeholder: 'DATE=N',
      help: 'The number of a day, for example 2026-11-01=412',
      multiple: true,
    },
    owner: { placeholder: 'NAME', help: 'Divide only the cost of its calls' },
    service: { placeholder: 'NAME', help: 'Divide only the cost of its calls' },
  },
  run: async (call) => {
    const { terminal, argument: name, option, options, flag } = call;
    const file = option('file');
    const given = numbersOfCsv(
      ['date,value', ...options('number').map((text) => text.replace('=', ','))].join('\n'),
    );
    if (given.fault !== null) throw new UsageError(`--number: ${given.fault}`);
    const numbers = [...(file === undefined ? [] : await readNumbers(file)), ...given.numbers];
    if (numbers.length === 0) throw new UsageError('Give numbers with --file FILE or --number DATE=N.');
    const [owner, service] = [option('owner'), option('service')];
    const metric = await postBusinessMetric(
      call.client(),
      { name, numbers, ...(owner !== undefined && { owner }), ...(service !== undefined && { service }) },
      { signal: terminal.signal },
    );
    if (flag('json')) return writeJson(terminal, metric);
    return writeLine(
      terminal,
      `${shown(metric.name)} has numbers of ${metric.days} days, ${shown(metric.first_day)} to ${shown(metric.last_day)}.`,
    );
  },
};

export const metricsDelete: Command = {
  name: 'metrics delete',
  summary: 'Delete a business metric with its numbers',
  argument: { placeholder: 'ID' },
  options: {},
  run: async (call) => {
    const { terminal, argument } = call;
    await deleteBusinessMetric(call.client(), argument, { signal: terminal.signal });
    return writeLine(terminal, 'It is deleted.');
  },
};
