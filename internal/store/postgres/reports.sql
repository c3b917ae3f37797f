-- Views for reports over the records of the bot, in the schema report, and a role that reads them: nothing that is sealed, and not the
-- table itself. Run it again after each upgrade, by the role of DATABASE_URL, where its tables are:
--
--   reseller-bot sql | psql --set ON_ERROR_STOP=1 --single-transaction "$DATABASE_URL"
--
-- Give somebody the role, as the administrator of the server: grant reseller_reports to ANALYST.
--
-- Most of what is kept has come to its end and is packed, which takes the server some milliseconds a record to read. What is asked
-- often is asked of a copy: create materialized view … as select … from report.purchase.
create schema if not exists report;
comment on schema report is 'What the bot knows, for reports. Amounts are dinars, times have a zone, and what is sealed is left out.';

-- The two trees that a block is written with, and how to read them: 16 counts of codes by their length, then the symbols in order.
create or replace function report.tree(lengths int[]) returns int[] language plpgsql immutable parallel safe as $$
declare
	counts int[] := array_fill(0, array[16]);
	symbols int[] := '{}';
begin
	for bits in 1..15 loop
		for symbol in 0..array_length(lengths, 1) - 1 loop
			if lengths[symbol + 1] = bits then
				symbols := symbols || symbol;
				counts[bits + 1] := counts[bits + 1] + 1;
			end if;
		end loop;
	end loop;
	return counts || symbols;
end $$;

-- Some bits of a text that has three bytes more than it needs.
create or replace function report.bits(packed bytea, at int, n int) returns int language sql immutable parallel safe as $$
	select ((get_byte(packed, at >> 3) | (get_byte(packed, (at >> 3) + 1) << 8) | (get_byte(packed, (at >> 3) + 2) << 16)) >> (at & 7)) & ((1 << n) - 1);
$$;

-- What was deflated (RFC 1951) over a dictionary.
create or replace function report.inflate(packed bytea, dictionary bytea) returns bytea language plpgsql immutable parallel safe as $$
declare
	source bytea := packed || '\x000000';
	plain bytea := dictionary;
	at int := 0; -- the bit that is next
	final int := 0;
	form int;
	size int;
	lengths int[];
	literals int[];
	distances int[];
	codes int[];
	used int[];
	total int;
	alone int[] := array[16,17,18,0,8,7,9,6,10,5,11,4,12,3,13,2,14,1,15];
	base int[] := array[3,4,5,6,7,8,9,10,11,13,15,17,19,23,27,31,35,43,51,59,67,83,99,115,131,163,195,227,258];
	extra int[] := array[0,0,0,0,0,0,0,0,1,1,1,1,2,2,2,2,3,3,3,3,4,4,4,4,5,5,5,5,0];
	far int[] := array[1,2,3,4,5,7,9,13,17,25,33,49,65,97,129,193,257,385,513,769,1025,1537,2049,3073,4097,6145,8193,12289,16385,24577];
	farther int[] := array[0,0,0,0,1,1,2,2,3,3,4,4,5,5,6,6,7,7,8,8,9,9,10,10,11,11,12,12,13,13];
	code int; first int; index int; symbol int; bits int; back int; piece bytea;
begin
	while final = 0 loop
		final := report.bits(source, at, 1);
		form := report.bits(source, at + 1, 2);
		at := at + 3;
		if form = 0 then
			at := (at + 7) & ~7;
			size := report.bits(source, at, 16);
			plain := plain || substr(source, (at >> 3) + 5, size);
			at := at + 32 + size * 8;
			continue;
		elsif form = 1 then
			literals := report.tree(array_fill(8, array[144]) || array_fill(9, array[112]) || array_fill(7, array[24]) || array_fill(8, array[8]));
			distances := report.tree(array_fill(5, array[30]));
		elsif form = 2 then
			used := array[report.bits(source, at, 5) + 257, report.bits(source, at + 5, 5) + 1, report.bits(source, at + 10, 4) + 4];
			at := at + 14;
			lengths := array_fill(0, array[19]);
			for i in 1..used[3] loop
				lengths[alone[i] + 1] := report.bits(source, at, 3);
				at := at + 3;
			end loop;
			codes := report.tree(lengths);
			lengths := '{}';
			total := used[1] + used[2];
			while coalesce(array_length(lengths, 1), 0) < total loop
				code := 0; first := 0; index := 0; symbol := null; bits := 0;
				while symbol is null loop
					bits := bits + 1;
					code := code | get_bit(source, at);
					at := at + 1;
					size := codes[bits + 1];
					if code - first < size then
						symbol := codes[17 + index + code - first];
					end if;
					index := index + size;
					first := (first + size) << 1;
					code := code << 1;
				end loop;
				if symbol < 16 then
					lengths := lengths || symbol;
				elsif symbol = 16 then
					lengths := lengths || array_fill(lengths[array_length(lengths, 1)], array[3 + report.bits(source, at, 2)]);
					at := at + 2;
				elsif symbol = 17 then
					lengths := lengths || array_fill(0, array[3 + report.bits(source, at, 3)]);
					at := at + 3;
				else
					lengths := lengths || array_fill(0, array[11 + report.bits(source, at, 7)]);
					at := at + 7;
				end if;
			end loop;
			literals := report.tree(lengths[1:used[1]]);
			distances := report.tree(lengths[used[1] + 1:total]);
		else
			raise exception 'the record is not packed as it should be';
		end if;
		loop
			code := 0; first := 0; index := 0; symbol := null; bits := 0;
			while symbol is null loop
				bits := bits + 1;
				code := code | get_bit(source, at);
				at := at + 1;
				size := literals[bits + 1];
				if code - first < size then
					symbol := literals[17 + index + code - first];
				end if;
				index := index + size;
				first := (first + size) << 1;
				code := code << 1;
			end loop;
			exit when symbol = 256;
			if symbol < 256 then
				plain := plain || set_byte('\x00', 0, symbol);
				continue;
			end if;
			form := base[symbol - 256] + report.bits(source, at, extra[symbol - 256]);
			at := at + extra[symbol - 256];
			code := 0; first := 0; index := 0; symbol := null; bits := 0;
			while symbol is null loop
				bits := bits + 1;
				code := code | get_bit(source, at);
				at := at + 1;
				size := distances[bits + 1];
				if code - first < size then
					symbol := distances[17 + index + code - first];
				end if;
				index := index + size;
				first := (first + size) << 1;
				code := code << 1;
			end loop;
			back := far[symbol + 1] + report.bits(source, at, farther[symbol + 1]);
			at := at + farther[symbol + 1];
			piece := substr(plain, octet_length(plain) - back + 1, least(back, form));
			while octet_length(piece) < form loop -- it repeats what it has just written
				piece := piece || piece;
			end loop;
			plain := plain || substr(piece, 1, form);
		end loop;
	end loop;
	return substr(plain, octet_length(dictionary) + 1);
end $$;

-- The open part of a record: what is sealed lies beside it and is left out.
create or replace function report.doc(value bytea) returns jsonb language plpgsql immutable parallel safe as $$
begin
	case get_byte(value, 0)
	when 1 then return convert_from(substr(value, 2), 'UTF8')::jsonb -> 'o';
	when 2 then return convert_from(report.inflate(substr(value, 2), decode('DICTIONARY', 'base64')), 'UTF8')::jsonb -> 'o';
	end case;
end $$;

-- A time, or null for none; an amount in dinars, or null for none.
create or replace function report.moment(doc jsonb, field text) returns timestamptz language sql stable parallel safe as $$
	select nullif(doc ->> field, '0001-01-01T00:00:00Z')::timestamptz;
$$;
create or replace function report.dinars(doc jsonb, field text) returns numeric language sql immutable parallel safe as $$
	select nullif(doc ->> field, '')::numeric;
$$;

drop view if exists report.purchase, report."order", report.movement, report.account, report.chat, report.outbox;

create view report.purchase with (security_barrier) as
select d ->> 'ID' as id, d ->> 'Account' as account, (d ->> 'Chat')::bigint as chat, (d ->> 'User')::bigint as buyer, d ->> 'Phase' as phase,
	d ->> 'Product' as product, d ->> 'Variant' as variant, (d ->> 'ProductID')::bigint as product_id, (d ->> 'VariantID')::bigint as variant_id,
	d ->> 'Family' as family, (d ->> 'Topup')::boolean as topup, (d ->> 'Quantity')::int as quantity,
	report.dinars(d, 'Price') as price, report.dinars(d, 'Total') as total, report.dinars(d, 'Charged') as charged,
	d ->> 'Reason' as reason, nullif(d ->> 'List', '') as list,
	report.moment(d, 'CreatedAt') as created_at, report.moment(d, 'QueuedAt') as queued_at, report.moment(d, 'SentAt') as sent_at,
	report.moment(d, 'AnsweredAt') as answered_at, report.moment(d, 'ClosedAt') as closed_at
from (select report.doc(value) as d from record where kind = 'purchase' offset 0) r;

create view report."order" with (security_barrier) as
select d ->> 'Account' as account, d ->> 'ID' as id, d ->> 'Purchase' as purchase, (d ->> 'Unit')::int as unit, d ->> 'Item' as item,
	d ->> 'State' as state, d ->> 'Status' as status, report.dinars(d, 'Price') as price, d ->> 'Refund' as refund,
	report.moment(d, 'CreatedAt') as created_at, report.moment(d, 'ReadyAt') as ended_at, (d ->> 'Looks')::int as looks
from (select report.doc(value) as d from record where kind = 'order' offset 0) r;

create view report.movement with (security_barrier) as
select d ->> 'Account' as account, (d ->> 'Number')::bigint as number, report.moment(d, 'At') as at, d ->> 'Kind' as kind,
	report.dinars(d, 'Amount') as amount, report.dinars(d, 'Balance') as balance, (d ->> 'Guessed')::boolean as guessed,
	nullif(d ->> 'Purchase', '') as purchase
from (select report.doc(value) as d from record where kind = 'movement' offset 0) r;

create view report.account with (security_barrier) as
select d ->> 'ID' as id, d ->> 'Name' as name, report.moment(d, 'LinkedAt') as linked_at, (d ->> 'Open')::int as open,
	(d ->> 'Frozen')::boolean as frozen, d -> 'Locked' <> 'null' as locked, (d ->> 'Retired')::boolean as retired
from (select report.doc(value) as d from record where kind = 'account' offset 0) r;

create view report.chat with (security_barrier) as
select (d ->> 'ID')::bigint as id, nullif(d ->> 'Account', '') as account, nullif(d ->> 'Language', '') as language,
	report.moment(d, 'CreatedAt') as created_at, report.moment(d, 'Unreachable') as unreachable_since
from (select report.doc(value) as d from record where kind = 'chat' offset 0) r;

create view report.outbox with (security_barrier) as
select (d ->> 'Chat')::bigint as chat, d ->> 'Kind' as kind, nullif(d ->> 'Purchase', '') as purchase, (d ->> 'Priority')::int as priority,
	(d ->> 'Tries')::int as tries, report.moment(d, 'Created') as created_at, report.moment(d, 'Due') as due_at
from (select report.doc(value) as d from record where kind = 'outbox' offset 0) r;

do $$ begin
	if not exists (select from pg_roles where rolname = 'reseller_reports') then
		create role reseller_reports nologin;
	end if;
exception when insufficient_privilege then
	raise exception 'the role reseller_reports is missing, and this one may not create it: have the administrator do so, and run this again';
end $$;
revoke all on schema report from public;
grant usage on schema report to reseller_reports;
grant select on all tables in schema report to reseller_reports;
