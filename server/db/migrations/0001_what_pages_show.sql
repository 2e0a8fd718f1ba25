-- Whoever writes to the catalogue, the pages that show it are told: each tag is one notification on `changed`.
-- PostgreSQL sends equal notifications of one transaction once, and none of a transaction that failed.
CREATE FUNCTION tell_pages(tag text) RETURNS void LANGUAGE sql AS $$ SELECT pg_notify('changed', left(tag, 2000)) $$;
--> statement-breakpoint
CREATE FUNCTION tell_product(product products) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_pages('product:' || product.id);
  PERFORM tell_pages('store:' || product.seller_id);
  PERFORM tell_pages('category:' || product.category);
  PERFORM tell_pages('products');
  PERFORM tell_pages('home');
END $$;
--> statement-breakpoint
-- Every listing shows between which prices the whole catalogue lies: only a price at or beyond an end can move it.
CREATE FUNCTION tell_price_range(cents integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- Both ends are read from an index: a catalogue of one price would else be read whole for each product.
  IF cents IS NOT NULL AND (
    cents <= coalesce((SELECT min(final_cents) FROM products WHERE NOT is_hidden), cents)
    OR cents >= coalesce((SELECT max(final_cents) FROM products WHERE NOT is_hidden), cents)
  ) THEN
    PERFORM tell_pages('prices');
  END IF;
END $$;
--> statement-breakpoint
CREATE FUNCTION product_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM tell_product(OLD); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM tell_product(NEW); END IF;
  IF TG_OP <> 'UPDATE' OR OLD.is_hidden <> NEW.is_hidden OR OLD.final_cents <> NEW.final_cents THEN
    PERFORM tell_price_range(CASE WHEN TG_OP <> 'INSERT' THEN OLD.final_cents END);
    PERFORM tell_price_range(CASE WHEN TG_OP <> 'DELETE' THEN NEW.final_cents END);
  END IF;
  IF TG_OP <> 'UPDATE' OR OLD.is_hidden <> NEW.is_hidden OR OLD.category <> NEW.category OR OLD.seller_id <> NEW.seller_id THEN
    PERFORM tell_pages('categories');
    PERFORM tell_pages('stores');
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER product_appeared AFTER INSERT ON products FOR EACH ROW WHEN (NOT NEW.is_hidden) EXECUTE FUNCTION product_changed();
--> statement-breakpoint
CREATE TRIGGER product_vanished AFTER DELETE ON products FOR EACH ROW WHEN (NOT OLD.is_hidden) EXECUTE FUNCTION product_changed();
--> statement-breakpoint
-- A plain sale (stock falls but does not reach 0) changes no page: pages ask for the live number themselves.
CREATE TRIGGER product_changed AFTER UPDATE ON products FOR EACH ROW WHEN (
  NOT (OLD.is_hidden AND NEW.is_hidden) AND (
    (OLD.stock > 0) <> (NEW.stock > 0)
    OR (OLD.seller_id, OLD.slug, OLD.name, OLD.category, OLD.brand, OLD.shop_name, OLD.price_cents, OLD.discount, OLD.description,
        OLD.pictures, OLD.banner, OLD.is_promoted, OLD.is_hidden, OLD.shipping_prices, OLD.rating, OLD.rating_count)
      IS DISTINCT FROM
       (NEW.seller_id, NEW.slug, NEW.name, NEW.category, NEW.brand, NEW.shop_name, NEW.price_cents, NEW.discount, NEW.description,
        NEW.pictures, NEW.banner, NEW.is_promoted, NEW.is_hidden, NEW.shipping_prices, NEW.rating, NEW.rating_count)
  )
) EXECUTE FUNCTION product_changed();
--> statement-breakpoint
CREATE FUNCTION part_of_product_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_pages('product:' || CASE WHEN TG_OP = 'DELETE' THEN OLD.product_id ELSE NEW.product_id END);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER variant_changed AFTER INSERT OR UPDATE OR DELETE ON variants FOR EACH ROW EXECUTE FUNCTION part_of_product_changed();
--> statement-breakpoint
CREATE TRIGGER review_changed AFTER INSERT OR UPDATE OR DELETE ON reviews FOR EACH ROW EXECUTE FUNCTION part_of_product_changed();
--> statement-breakpoint
CREATE FUNCTION seller_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  seller sellers := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.shop_name <> NEW.shop_name THEN
    UPDATE products SET shop_name = NEW.shop_name WHERE seller_id = NEW.id;
  END IF;
  PERFORM tell_pages('seller:' || seller.id);
  PERFORM tell_pages('stores');
  PERFORM tell_pages('home');
  IF TG_OP = 'DELETE' OR (TG_OP = 'UPDATE' AND (OLD.banner, OLD.is_verified, OLD.rating) IS DISTINCT FROM (NEW.banner, NEW.is_verified, NEW.rating)) OR (TG_OP = 'INSERT' AND NEW.banner IS NOT NULL) THEN
    PERFORM tell_pages('banners');
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER seller_changed AFTER INSERT OR UPDATE OR DELETE ON sellers FOR EACH ROW EXECUTE FUNCTION seller_changed();
--> statement-breakpoint
CREATE FUNCTION category_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_pages('categories');
  PERFORM tell_pages('home');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER category_changed AFTER INSERT OR UPDATE OR DELETE ON categories FOR EACH STATEMENT EXECUTE FUNCTION category_changed();
--> statement-breakpoint
CREATE FUNCTION platform_banner_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_pages('home');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER platform_banner_changed AFTER INSERT OR UPDATE OR DELETE ON platform_banners FOR EACH STATEMENT EXECUTE FUNCTION platform_banner_changed();

--> statement-breakpoint
-- Words stay when the last product with them goes: a search that is led to one of them then finds nothing, as before.
CREATE FUNCTION search_words_of(names text) RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $$
  SELECT word FROM regexp_split_to_table(lower(names), '[^[:alpha:]]+') AS word WHERE length(word) BETWEEN 4 AND 40
$$;
--> statement-breakpoint
CREATE FUNCTION words_of_new_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- In one order, so that two writers wait for each other instead of ending in a deadlock.
  INSERT INTO search_words
    SELECT DISTINCT word FROM added, search_words_of(concat_ws(' ', name, brand, category, shop_name)) AS word ORDER BY word
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER words_of_new_products AFTER INSERT ON products REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION words_of_new_products();
--> statement-breakpoint
CREATE FUNCTION words_of_renamed_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_words
    SELECT DISTINCT word FROM search_words_of(concat_ws(' ', NEW.name, NEW.brand, NEW.category, NEW.shop_name)) AS word ORDER BY word
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER words_of_renamed_product AFTER UPDATE ON products FOR EACH ROW
WHEN ((OLD.name, OLD.brand, OLD.category, OLD.shop_name) IS DISTINCT FROM (NEW.name, NEW.brand, NEW.category, NEW.shop_name))
EXECUTE FUNCTION words_of_renamed_product();
