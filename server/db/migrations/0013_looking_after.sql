DROP INDEX "products_top";--> statement-breakpoint
DROP INDEX "products_category_top";--> statement-breakpoint
DROP INDEX "products_seller_top";--> statement-breakpoint
DROP INDEX "products_price";--> statement-breakpoint
DROP INDEX "products_category_price";--> statement-breakpoint
DROP INDEX "products_filters";--> statement-breakpoint
DROP INDEX "products_rating";--> statement-breakpoint
DROP INDEX "products_latest";--> statement-breakpoint
DROP INDEX "products_discount";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "blocked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "is_shop_hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "is_visible" boolean GENERATED ALWAYS AS (not is_hidden and not is_shop_hidden) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "sellers" ADD COLUMN "is_hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sellers" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "is_hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "products_top" ON "products" USING btree ("units_sold" DESC NULLS LAST,"is_promoted" DESC NULLS LAST,"rating" DESC NULLS LAST,"id","final_cents") WHERE is_visible;--> statement-breakpoint
CREATE INDEX "products_category_top" ON "products" USING btree ("category","units_sold" DESC NULLS LAST,"is_promoted" DESC NULLS LAST,"rating" DESC NULLS LAST,"id","final_cents") WHERE is_visible;--> statement-breakpoint
CREATE INDEX "products_seller_top" ON "products" USING btree ("seller_id","units_sold" DESC NULLS LAST,"is_promoted" DESC NULLS LAST,"rating" DESC NULLS LAST,"id") WHERE is_visible;--> statement-breakpoint
CREATE INDEX "products_price" ON "products" USING btree ("final_cents","id","rating") WHERE is_visible;--> statement-breakpoint
CREATE INDEX "products_category_price" ON "products" USING btree ("category","final_cents","id","rating") WHERE is_visible;--> statement-breakpoint
CREATE INDEX "products_filters" ON "products" USING btree ("category","rating","final_cents") WHERE is_visible;--> statement-breakpoint
CREATE INDEX "products_rating" ON "products" USING btree ("rating" DESC NULLS LAST,"id","final_cents") WHERE is_visible;--> statement-breakpoint
CREATE INDEX "products_latest" ON "products" USING btree ("created_at" DESC NULLS LAST,"id") WHERE is_visible;--> statement-breakpoint
CREATE INDEX "products_discount" ON "products" USING btree ("discount" DESC NULLS LAST,"id") WHERE is_visible;--> statement-breakpoint
-- A product that comes into a hidden shop is hidden with it.
CREATE FUNCTION product_of_hidden_shop() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.is_shop_hidden := coalesce((SELECT is_hidden FROM sellers WHERE id = NEW.seller_id), false);
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER product_of_hidden_shop BEFORE INSERT OR UPDATE OF seller_id ON products FOR EACH ROW EXECUTE FUNCTION product_of_hidden_shop();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION tell_price_range(cents integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- Both ends are read from an index: a catalogue of one price would else be read whole for each product.
  IF cents IS NOT NULL AND (
    cents <= coalesce((SELECT min(final_cents) FROM products WHERE is_visible), cents)
    OR cents >= coalesce((SELECT max(final_cents) FROM products WHERE is_visible), cents)
  ) THEN
    PERFORM tell_pages('prices');
  END IF;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION product_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM tell_product(OLD); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM tell_product(NEW); END IF;
  IF TG_OP <> 'UPDATE' OR OLD.is_visible <> NEW.is_visible OR OLD.final_cents <> NEW.final_cents THEN
    PERFORM tell_price_range(CASE WHEN TG_OP <> 'INSERT' THEN OLD.final_cents END);
    PERFORM tell_price_range(CASE WHEN TG_OP <> 'DELETE' THEN NEW.final_cents END);
  END IF;
  IF TG_OP <> 'UPDATE' OR OLD.is_visible <> NEW.is_visible OR OLD.category <> NEW.category OR OLD.seller_id <> NEW.seller_id THEN
    PERFORM tell_pages('categories');
    PERFORM tell_pages('stores');
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
DROP TRIGGER product_appeared ON products;
--> statement-breakpoint
CREATE TRIGGER product_appeared AFTER INSERT ON products FOR EACH ROW WHEN (NEW.is_visible) EXECUTE FUNCTION product_changed();
--> statement-breakpoint
DROP TRIGGER product_vanished ON products;
--> statement-breakpoint
CREATE TRIGGER product_vanished AFTER DELETE ON products FOR EACH ROW WHEN (OLD.is_visible) EXECUTE FUNCTION product_changed();
--> statement-breakpoint
DROP TRIGGER product_changed ON products;
--> statement-breakpoint
-- A plain sale (stock falls but does not reach 0) changes no page: pages ask for the live number themselves.
CREATE TRIGGER product_changed AFTER UPDATE ON products FOR EACH ROW WHEN (
  (OLD.is_visible OR NEW.is_visible) AND (
    (OLD.stock > 0) <> (NEW.stock > 0)
    OR (OLD.seller_id, OLD.slug, OLD.name, OLD.category, OLD.brand, OLD.shop_name, OLD.price_cents, OLD.discount, OLD.description,
        OLD.pictures, OLD.banner, OLD.is_promoted, OLD.is_visible, OLD.shipping_prices, OLD.rating, OLD.rating_count)
      IS DISTINCT FROM
       (NEW.seller_id, NEW.slug, NEW.name, NEW.category, NEW.brand, NEW.shop_name, NEW.price_cents, NEW.discount, NEW.description,
        NEW.pictures, NEW.banner, NEW.is_promoted, NEW.is_visible, NEW.shipping_prices, NEW.rating, NEW.rating_count)
  )
) EXECUTE FUNCTION product_changed();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION seller_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  seller sellers := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.shop_name, OLD.is_hidden) IS DISTINCT FROM (NEW.shop_name, NEW.is_hidden) THEN
    UPDATE products SET shop_name = NEW.shop_name, is_shop_hidden = NEW.is_hidden WHERE seller_id = NEW.id;
  END IF;
  PERFORM tell_pages('seller:' || seller.id);
  PERFORM tell_pages('stores');
  PERFORM tell_pages('home');
  IF TG_OP = 'DELETE' OR (TG_OP = 'UPDATE' AND (OLD.banner, OLD.is_verified, OLD.rating, OLD.is_hidden) IS DISTINCT FROM (NEW.banner, NEW.is_verified, NEW.rating, NEW.is_hidden)) OR (TG_OP = 'INSERT' AND NEW.banner IS NOT NULL) THEN
    PERFORM tell_pages('banners');
  END IF;
  RETURN NULL;
END $$;
