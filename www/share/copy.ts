// What is shown, on the clipboard: the picture, or the tables beside it for a spreadsheet.

import { pngOf } from './figure.ts';
import type { State } from '../state.ts';

const REFUSED = { message: 'The browser refuses the clipboard to this page. Save the file instead.' };

export async function copyPicture(state: State): Promise<string> {
  // Browsers take a picture that comes later, as long as they are asked at once.
  const png = pngOf(state).then((png) => png ?? Promise.reject(REFUSED));
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]).catch(() => Promise.reject(REFUSED));
  return 'The picture is on the clipboard.';
}

export async function copyTable(): Promise<string> {
  const isShown = (table: HTMLElement) => table.getClientRects().length > 0;
  const tables = [...document.querySelectorAll<HTMLTableElement>('#numbers table, #panel [role=tabpanel] table')].filter(isShown);
  if (tables.length === 0) throw { message: 'No table is shown. Choose one beside the picture, or Table.' };
  const textOf = (cell: HTMLElement) => cell.innerText.trim().replace(/\s+/g, ' ');
  const rowsOf = (table: HTMLTableElement) => [...table.rows].map((row) => [...row.cells].map(textOf).join('\t'));
  const texts = tables.map((table) => rowsOf(table).join('\n'));
  await navigator.clipboard.writeText(`${texts.join('\n\n')}\n`).catch(() => Promise.reject(REFUSED));
  return tables.length === 1 ? 'The table is on the clipboard.' : `${tables.length} tables are on the clipboard.`;
}
