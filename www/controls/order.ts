// Tables in the order of one of their columns, whose head is a button; the address has which.

import { button, make } from '../dom.ts';
import type { Actions } from '../actions/actions.ts';

export interface Order {
  column: string;
  /** From the least on. */
  isRising: boolean;
}

/** What is said of a table's order among those of all: `TABLE:COLUMN`, or `TABLE:-COLUMN` from the least on. */
export function orderOf(orders: string[], table: string): Order | null {
  const text = orders.find((text) => text.startsWith(`${table}:`))?.slice(table.length + 1);
  return text === undefined ? null : { column: text.replace(/^-/, ''), isRising: text.startsWith('-') };
}

/** After a click on a head: from the largest on, then from the least on, then as at first. */
export function turned(orders: string[], table: string, column: string): string[] {
  const before = orderOf(orders, table);
  const others = orders.filter((text) => !text.startsWith(`${table}:`));
  if (before?.column !== column) return [...others, `${table}:${column}`];
  return before.isRising ? others : [...others, `${table}:-${column}`];
}

/** A head by which a table is put in order. `column` is what the address calls it. */
export function headOf(table: string, column: string, text: string, title: string, { now, look }: Actions, ...beside: HTMLElement[]) {
  const order = orderOf(now().view.order, table);
  const isBy = order?.column === column;
  const turn = () => look({ order: turned(now().view.order, table, column) });
  const words = `${title ? `${title}. ` : ''}Click: in this order`;
  const by = button({ class: 'by', title: words, 'data-key': `by ${column}` }, text, turn);
  return make('th', { scope: 'col', 'aria-sort': isBy ? (order?.isRising ? 'ascending' : 'descending') : 'none' }, by, ...beside);
}

/** The same rows in this order: those without a value last, equal ones as they were. */
export function inOrder<T>(rows: T[], order: Order | null, valueOf: (row: T, column: string) => number | null | undefined): T[] {
  if (!order) return rows;
  const sign = order.isRising ? 1 : -1;
  const keyed = rows.map((row) => ({ row, value: valueOf(row, order.column) ?? null }));
  const compare = (a: number | null, b: number | null) => (a === null || b === null ? Number(a === null) - Number(b === null) : sign * (a - b));
  return keyed.sort((a, b) => compare(a.value, b.value)).map(({ row }) => row);
}
