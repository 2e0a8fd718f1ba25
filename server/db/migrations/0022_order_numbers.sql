-- 'PZ-' and six letters and digits that nobody confuses when reading them aloud or copying them.
CREATE FUNCTION random_order_number() RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT 'PZ-' || string_agg(substr('23456789CDFGHJKMNPQRTWXY', 1 + floor(random() * 24)::integer, 1), '') FROM generate_series(1, 6)
$$;
--> statement-breakpoint
CREATE FUNCTION new_order_number() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  drawn text;
BEGIN
  LOOP
    drawn := random_order_number();
    EXIT WHEN NOT EXISTS (SELECT FROM orders WHERE number = drawn);
  END LOOP;
  RETURN drawn;
END $$;
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "number" text;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_number" UNIQUE("number");--> statement-breakpoint
-- A version that does not know the column goes on placing orders: the database numbers them.
ALTER TABLE "orders" ALTER COLUMN "number" SET DEFAULT new_order_number();--> statement-breakpoint
UPDATE "orders" SET "number" = new_order_number();--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "number" SET NOT NULL;
