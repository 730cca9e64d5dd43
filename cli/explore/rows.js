// What the page reads: rows of CSV, and sizes and times as `collsim` writes them. Nothing here knows of the page.
'use strict';

// Returns the rows of a CSV (RFC 4180) as objects by the names of its first line.
function rowsOf(text) {
  const rows = [[]];
  let field = '', quoted = false;
  for (let i = 0; i < text.length; i++) {
    const x = text[i];
    if (quoted && x === '"' && text[i + 1] === '"') {
      field += '"';
      i++;
    } else if (x === '"') {
      quoted = !quoted;
    } else if (!quoted && (x === ',' || x === '\n')) {
      rows[rows.length - 1].push(field);
      field = '';
      if (x === '\n') rows.push([]);
    } else if (quoted || x !== '\r') {
      field += x;
    }
  }
  const names = rows.shift();
  const whole = rows.filter(row => row.length === names.length);
  return whole.map(row => Object.fromEntries(row.map((x, i) => [names[i], x])));
}

// Returns 64K for 65536, as `collsim` does.
function sizeText(n) {
  const units = ['', 'K', 'M', 'G'];
  let i = 0;
  while (n && n % 1024 === 0 && i < 3) {
    n /= 1024;
    i++;
  }
  return n + units[i];
}

// Returns a time with four digits and its unit.
function timeText(s) {
  const units = [[1, 's'], [1e-3, 'ms'], [1e-6, 'us'], [1e-9, 'ns']];
  const [scale, unit] = units.find(([scale]) => s >= scale) || units[3];
  return Number((s / scale).toPrecision(4)) + ' ' + unit;
}

// Returns 1, 1.5, 2, 3, 4, 6, 8, 12 .. times `from`, up to `to`, as far as these are integers.
function halfDoublings(from, to) {
  const values = [];
  for (const x of doublings(from, to)) {
    values.push(x);
    if (1.5 * x <= to && Number.isInteger(1.5 * x)) values.push(1.5 * x);
  }
  return values;
}

function doublings(from, to) {
  const values = [];
  for (let x = from; x <= to; x *= 2) values.push(x);
  return values;
}

// Returns the values in order, with one more if it is new and `may` allows it.
function withValue(values, value, may) {
  return may && !values.includes(value) ? [...values, value].sort((a, b) => a - b) : values;
}

// Groups the rows that have a time by place, {p, m, rows}, with the fastest row first.
function placesOf(rows) {
  const places = new Map();
  for (const row of rows) {
    const key = row.ranks + ' ' + row.bytes;
    if (row.time_s === '' || row.ran) continue;
    if (!places.has(key)) places.set(key, {p: Number(row.ranks), m: Number(row.bytes), rows: []});
    places.get(key).rows.push(row);
  }
  for (const place of places.values()) place.rows.sort((a, b) => a.time_s - b.time_s);
  return [...places.values()];
}

function valuesOf(places, name) {
  return [...new Set(places.map(place => place[name]))].sort((a, b) => a - b);
}

// Returns the value nearest to x on a logarithmic axis.
function nearest(values, x) {
  const away = value => Math.abs(Math.log((value || 1) / (x || 1)));
  return values.reduce((a, b) => away(b) < away(a) ? b : a);
}
